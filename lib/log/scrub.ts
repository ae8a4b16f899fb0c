/** What a value is replaced by. */
const HIDDEN = "[hidden]";

/** An API key, wherever it stands, its underscore percent-encoded or not. */
const key = /kb(?:_|%5f)[0-9a-z]{38,}/gi;
/** The password in an address such as DATABASE_URL's. */
// A scheme is short: without the bound, a long run of its characters is looked through again from each of them.
const password = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"'\\]*:)[^\s/"'\\]+@/gi;
/** A secret among an address's parameters. */
const parameter = /([?&](?:password|passwd|secret|token|sig|signature|api_?key|x-api-key)=)[^&\s"'\\#]+/gi;
/** A link to a preview, which is a key to its article (lib/previews.ts), wherever it stands. */
const preview = /(\/preview\/|[?&]preview=)[^\s/?&"'\\#]+/gi;
/** A header or setting that is a secret, as JSON writes it: one text, or a list of them. */
const field =
  /("(?:x-api-key|cookie|set-cookie|authorization|proxy-authorization|password|auth_?secret|database_?url|smtp_?url)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
/** The same as Node prints it, and as HTTP writes it. */
const printed =
  /(\b(?:x-api-key|(?:set-)?cookie|(?:proxy-)?authorization)['"]?: *)(?:'(?:[^'\\]|\\.)*'|(?!["'[])[^\r\n"'\\]+)/gi;

/** A line without what nobody may read in a log: keys, cookies, passwords, tokens. */
export function scrubbed(line: string): string {
  return line
    .replace(key, `kb_${HIDDEN}`)
    .replace(field, `$1"${HIDDEN}"`)
    .replace(printed, `$1${HIDDEN}`)
    .replace(password, `$1${HIDDEN}@`)
    .replace(preview, `$1${HIDDEN}`)
    .replace(parameter, `$1${HIDDEN}`);
}
