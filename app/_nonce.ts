import { headers } from "next/headers";

/** The nonce of the page's content policy, for inline scripts and styles. */
export async function pageNonce(): Promise<string | undefined> {
  return /'nonce-([^']+)'/.exec((await headers()).get("Content-Security-Policy") ?? "")?.[1];
}
