/** Whether a mail program would turn part of the text into a link, such as "a@b.example" or "evil.example". */
export function looksLikeLink(text: string): boolean {
  return isUrl(text) || /[\p{L}\p{N}]\.\p{L}{2,}/u.test(text);
}

/** Like looksLikeLink, but allows a name such as "Node.js". */
export function isUrl(text: string): boolean {
  return /@|:\/\/|\bwww\.|\.\p{L}{2,}[/:?#]/iu.test(text);
}
