import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from "yauzl";
import { FILE_LIMIT, isHidden, Listing, type Source, tooLarge } from "@/lib/import/listing";
import { FileError } from "@/lib/import/problem";

/** Text compresses about five to one. A higher ratio than this is a zip bomb. */
const MOST_RATIO = 200;
const RATIO_MATTERS_FROM = 1024 * 1024;

/** Nothing is unpacked to the disk. Throws an Error to show when it is no zip, damaged or too large. */
export async function openZip(file: string): Promise<Source> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(
    (error: Error) => {
      throw new Error(`${file} is not a folder or a readable zip file: ${error.message}.`);
    },
  );
  try {
    const listing = new Listing();
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      if (path.endsWith("/")) continue;
      if (leadsOut(path)) {
        listing.refuse(path, "The path points outside the archive. Pack the folder again with relative paths.");
        continue;
      }
      if (isHidden(path)) continue;
      const reason = reasonToRefuse(entry);
      if (reason) listing.refuse(path, reason);
      else if (listing.add(path, entry.uncompressedSize)) entries.set(path, entry);
    }
    const source = await listing.source((path, most) => unpacked(zip, entries.get(path) as Entry, most));
    return { ...source, close: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw new Error(`${file} can't be imported. ${(error as Error).message}`);
  }
}

/** Many zips hold UTF-8 without saying so. */
function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(raw);
  } catch {
    name = getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
  }
  return name
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .normalize("NFC");
}

function leadsOut(path: string): boolean {
  return validateFileName(path) !== null || path.split("/").some((name) => name === "." || name === "");
}

function reasonToRefuse(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "The file is encrypted. Pack it without a password.";
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) {
    return "This is a symbolic link, which imports don't follow. Pack the file itself.";
  }
  if (![0, 8].includes(entry.compressionMethod)) {
    return "The file is not compressed with deflate. Pack the folder again with another program.";
  }
  if (entry.uncompressedSize > RATIO_MATTERS_FROM && entry.uncompressedSize > MOST_RATIO * entry.compressedSize) {
    return `The file unpacks to more than ${MOST_RATIO} times its size, so it was not imported.`;
  }
  return undefined;
}

async function unpacked(zip: ZipFile, entry: Entry, most = FILE_LIMIT): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      size += (chunk as Buffer).length;
      if (size > most) throw new FileError(tooLarge(most));
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`The file can't be unpacked (${(error as Error).message}). The archive is damaged.`);
  }
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw new FileError("The file doesn't match its checksum. The archive is damaged.");
  return bytes;
}
