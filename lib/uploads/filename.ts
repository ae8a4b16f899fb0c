/** In UTF-8: fits every file system, with room for a browser's "(1)". */
const MOST_BYTES = 200;
/** Device names in Windows, whatever follows the first dot. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** A filename for display and download, without invisible or forbidden characters. Never used as a path. */
export function cleanFilename(original: string, extension?: string): string {
  const last = original.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const seen = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const [, base = seen, own] = /^(.+)\.([\p{L}\p{N}_-]{1,16})$/u.exec(seen) ?? [];
  const end = extension ?? own;
  const named = base === "" ? "file" : DEVICES.test(base) ? `_${base}` : base;
  const most = MOST_BYTES - (end ? Buffer.byteLength(end) + 1 : 0);
  const cut = shortened(named, most).replace(/[. ]+$/, "");
  return end ? `${cut}.${end}` : cut;
}

function shortened(text: string, mostBytes: number): string {
  let bytes = 0;
  let result = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    result += character;
  }
  return result;
}
