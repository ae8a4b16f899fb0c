import { countUse } from "@/lib/counters";
import { env } from "@/lib/env";
import { hashOfToken } from "@/lib/mailed-tokens";
import { networkOf } from "@/lib/network";

const HOUR = 60 * 60;
/** How often an hour the same e-mail address may be asked for. */
const MOST_MAILS = 3;

/**
 * Counts what is asked on the bare domain, where nobody is known: workspaces that are made and mails that are wanted, by
 * the hour, and looks whether a subdomain is free, by the minute.
 * @param address of the client; null when it is not known, which is an address too
 * @returns how many seconds to wait when this was one too many, else null
 * @throws UnavailableError
 */
export async function countOnApex(
  name: "workspace made" | "workspaces asked" | "subdomain tried",
  address: string | null,
): Promise<number | null> {
  const { typing, workspaces } = env().rateLimits;
  const network = networkOf(address);
  const use = await (name === "subdomain tried"
    ? countUse(name, typing, network)
    : countUse(name, workspaces, network, HOUR));
  return use?.over ? use.seconds : null;
}

/** The same for mails to one e-mail address, whoever wants them. The address is not kept, only its hash. */
export async function countMailsTo(email: string): Promise<number | null> {
  const subject = Buffer.from(hashOfToken(email.toLowerCase())).toString("base64url");
  const use = await countUse("workspaces mailed", env().rateLimits.workspaces === 0 ? 0 : MOST_MAILS, subject, HOUR);
  return use?.over ? use.seconds : null;
}
