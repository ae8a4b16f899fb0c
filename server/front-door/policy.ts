import { createHash } from "node:crypto";

/** The nonce of a Content-Security-Policy. */
export const nonceOf = (policy: string) => /'nonce-([\w+/=-]+)'/.exec(policy)?.[1];

/** The pattern of a tag's attributes with the nonce. */
export const carrying = (nonce: string) => `[^>]*\\snonce="${nonce.replaceAll("+", "\\+")}"[^>]*`;

/**
 * Removes the nonce from a page, so that it can be sent to many, and allows the scripts that carried it by their hashes. A
 * script that came with the content never knew the nonce.
 * @param policy the page's Content-Security-Policy
 * @returns null if that has no nonce
 */
export function withoutNonce(html: string, policy: string): { html: string; policy: string } | null {
  const nonce = nonceOf(policy);
  if (!nonce) return null;
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  // Only tags with the nonce, because an attribute in the content may contain "<script>".
  const ours = new RegExp(`<(script|style)\\b(${carrying(nonce)})>([\\s\\S]*?)</\\1>`, "g");
  const plain = html.replace(ours, (_, kind: "script" | "style", attributes: string, content: string) => {
    const kept = content.replaceAll(nonce, "");
    if (!/\ssrc=/.test(attributes)) hashes[kind].add(`'sha256-${createHash("sha256").update(kept).digest("base64")}'`);
    return `<${kind}${attributes.replace(` nonce="${nonce}"`, "")}>${kept}</${kind}>`;
  });
  const directives = policy.split("; ").map((directive) => {
    const [name = ""] = directive.split(" ", 1);
    if (name === "script-src") return ["script-src 'self'", ...hashes.script].join(" ");
    if (name === "style-src") return ["style-src 'self'", ...hashes.style].join(" ");
    return directive;
  });
  return { html: plain.replaceAll(` nonce="${nonce}"`, "").replaceAll(nonce, ""), policy: directives.join("; ") };
}
