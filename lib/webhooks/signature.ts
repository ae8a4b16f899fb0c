import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** A secret of Standard Webhooks: 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/**
 * The headers of Standard Webhooks 1.0.
 * @param id the same for every attempt
 * @param secrets one signature for each
 */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
