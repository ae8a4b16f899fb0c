import { isIP } from "node:net";
import { env } from "@/lib/env";
import type { InvalidField } from "@/lib/errors";
import { hostOf, isPublicAddress, namesLoopback } from "@/lib/outgoing/networks";

const LONGEST_URL = 2_000;

/** A URL on the public internet that a member typed, or "" after `refuse`. In development, this machine is allowed too. */
export function checkedUrl(text: string, refuse: (code: InvalidField["code"], message: string) => void): string {
  if (text === "") refuse("required", "Enter a URL.");
  else if (text.length > LONGEST_URL) refuse("too_long", `The URL can have up to ${LONGEST_URL} characters.`);
  else if (!URL.canParse(text)) refuse("invalid", "Enter a URL that begins with https://.");
  else {
    const url = new URL(text);
    url.hash = "";
    const isLocal = env().nodeEnv !== "production" && namesLoopback(url);
    const host = hostOf(url);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
      refuse("invalid", "Enter a URL that begins with https://.");
    else if (url.username !== "" || url.password !== "")
      refuse("invalid", "Enter a URL without a username or password.");
    else if (!isLocal && (namesLoopback(url) || (isIP(host) !== 0 && !isPublicAddress(host))))
      refuse("not_allowed", "This host is not on the public internet. Enter another URL.");
    else if (url.href.length > LONGEST_URL) refuse("too_long", `The URL can have up to ${LONGEST_URL} characters.`);
    return url.href;
  }
  return "";
}
