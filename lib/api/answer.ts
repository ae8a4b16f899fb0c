import { createHash } from "node:crypto";
import { HttpError } from "./errors";

/** An answer of 200 in JSON. `noStore`: no cache may keep it (contract 57). */
export function answerJson(json: string, noStore = false): Response {
  return new Response(json, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": noStore ? "no-store" : "private, max-age=0, must-revalidate",
      Vary: "X-Api-Key",
    },
  });
}

/** The answer for a refused or failed request: always `{ error }`, with `details` for 422 alone (contract 20, 21). */
export function answerError(error: HttpError): Response {
  const body = error.details ? { error: error.message, details: error.details } : { error: error.message };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      Vary: "X-Api-Key",
      ...error.headers,
    },
  });
}

/** A GET's answer with its weak ETag, or 304 for a client that has it already (contract 56). */
export function answerConditional(request: Request, json: string, noStore = false): Response {
  const tag = tagOf(json);
  const known = tagsOf(request.headers.get("if-none-match"));
  const answer = answerJson(json, noStore);
  answer.headers.set("ETag", `W/"${tag}"`);
  if (!known.includes(tag) && !known.includes("*")) return answer;
  answer.headers.delete("Content-Type");
  return new Response(null, { status: 304, headers: answer.headers });
}

/**
 * Compares If-Match with what a GET of the same thing answers, without regard to the weak mark, deliberately: all our
 * tags are weak, and If-Match is to work (contract 56).
 * @throws HttpError 412 when the resource is no longer what the client read
 */
export function assertMatch(request: Request, current: string): void {
  const header = request.headers.get("if-match");
  if (header === null) return;
  const wanted = tagsOf(header);
  if (wanted.includes("*") || wanted.includes(tagOf(current))) return;
  throw new HttpError(412, "The resource has changed since it was read: read it again, then send the change.");
}

/** Whether an Accept header allows JSON: absent, or anything that covers it (contract 27). */
export function acceptsJson(header: string | null): boolean {
  if (header === null || header.trim() === "") return true;
  return header.split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && (type === "*/*" || type === "application/*" || type === "application/json");
  });
}

function tagOf(json: string): string {
  return createHash("sha1").update(json).digest("base64url");
}

function tagsOf(header: string | null): string[] {
  return (header ?? "").split(",").map((part) =>
    part
      .trim()
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1"),
  );
}
