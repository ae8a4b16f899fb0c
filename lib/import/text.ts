import { FileError } from "@/lib/import/problem";

/** Throws FileError when it is not UTF-8 text. */
export function decodedText(bytes: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FileError("The file is not UTF-8 text. Save it as UTF-8.", lineOfBadByte(bytes));
  }
  const zero = text.indexOf("\0");
  if (zero >= 0) {
    throw new FileError("The file contains a zero byte, so it is not text. Save it as UTF-8.", lineAt(text, zero));
  }
  return text;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function lineOfBadByte(bytes: Buffer): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const next = end < 0 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(start, next));
    } catch {
      return line;
    }
    start = next;
  }
  return 1;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
