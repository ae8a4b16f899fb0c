/** As much as every file system takes, in bytes of UTF-8, with room for a browser's "(1)". */
const MOST_BYTES = 200;
/** What Windows means a device by, whatever follows the first dot. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * A file's name as it is shown and offered for saving: the last part of a path, without what no file system takes and
 * without characters that cannot be seen, such as those that turn the direction of writing. Never used as a path.
 * @param given as somebody's computer named it
 * @param extension what it shall end in, such as "png", where the content was made anew
 * @returns 1 to 200 bytes
 */
export function cleanFilename(given: string, extension?: string): string {
  const last = given.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
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

/** Cut between characters. */
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
