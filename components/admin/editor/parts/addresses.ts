import { safeAddress } from "@/lib/content/schema";

/** File and program extensions that are not top-level domains. */
const FILES =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|xml|html?|s?css|vue|php|rb|cpp|sql|txt|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|exe|dll|log|ini|env|conf|cfg|bat|jar|tar|gz)$/i;

/**
 * Reads typed text as a URL.
 * @returns the URL, and whether it is certain: a host without a scheme, such as "docs.rs", may also be a name.
 *   Undefined if the text is not a URL.
 */
export function addressOf(text: string): { href: string; isSure: boolean } | undefined {
  const whole = /^(?:https?:\/\/|mailto:|tel:|\/|#|\.\.?\/)\S+$/i.test(text)
    ? text
    : /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)
      ? `mailto:${text}`
      : null;
  if (whole) {
    const href = safeAddress(whole, "link");
    return href ? { href, isSure: true } : undefined;
  }
  const [, host = "", rest = ""] = /^((?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?)([/?#]\S*)?$/i.exec(text) ?? [];
  if (host === "" || (rest === "" && FILES.test(host))) return undefined;
  const href = safeAddress(`https://${text}`, "link");
  return href ? { href, isSure: rest !== "" || /^www\./i.test(host) } : undefined;
}
