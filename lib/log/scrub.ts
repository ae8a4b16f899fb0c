const HIDDEN = "[hidden]";

/** Its underscore may be percent-encoded. */
const key = /kb(?:_|%5f)[0-9a-z]{38,}/gi;
/** The secret of a webhook. */
const webhook = /whsec_[a-z0-9+/=_-]{10,}/gi;
// Without the bound on the scheme, scanning would be quadratic.
const password = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"'\\]*:)[^\s/"'\\]+@/gi;
const parameter = /([?&](?:password|passwd|secret|token|sig|signature|api_?key|x-api-key)=)[^&\s"'\\#]+/gi;
/** A preview link grants access to its article. */
const preview = /(\/preview\/|[?&]preview=)[^\s/?&"'\\#]+/gi;
/** As JSON: a text or a list. */
const field =
  /("(?:x-api-key|cookie|set-cookie|authorization|proxy-authorization|password|auth_?secret|database_?(?:(?:direct|replica)_?)?url|smtp_?url)":)(?:"(?:[^"\\\n]|\\.)*"|\[[^\]\n]*\])/gi;
/** As printed by Node, or as HTTP. */
const printed =
  /(\b(?:x-api-key|(?:set-)?cookie|(?:proxy-)?authorization)['"]?: *)(?:'(?:[^'\\\n]|\\.)*'|(?!["'[])[^\r\n"'\\]+)/gi;

export function scrubbed(line: string): string {
  const safe = line
    .replace(key, `kb_${HIDDEN}`)
    .replace(webhook, `whsec_${HIDDEN}`)
    .replace(field, `$1"${HIDDEN}"`)
    .replace(printed, `$1${HIDDEN}`);
  // Most lines don't have one, and looking for URLs is the slowest of these.
  const anonymous = safe.includes("@") ? safe.replace(password, `$1${HIDDEN}@`) : safe;
  return anonymous.replace(preview, `$1${HIDDEN}`).replace(parameter, `$1${HIDDEN}`);
}
