/** Whether a mail program would link a part of the text, as in "a@b.example" or "evil.example". */
export function looksLikeLink(text: string): boolean {
  return isUrl(text) || /[\p{L}\p{N}]\.\p{L}{2,}/u.test(text);
}

/** As looksLikeLink, but a name such as "Node.js" is allowed. */
export function isUrl(text: string): boolean {
  return /@|:\/\/|\bwww\.|\.\p{L}{2,}[/:?#]/iu.test(text);
}
