import { createHash } from "node:crypto";
import { HttpError } from "./errors";

/** @param noStore forbids caching (contract 57) */
export function answerJson(json: string, noStore = false): Response {
  return new Response(json, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": noStore ? "no-store" : "private, max-age=0, must-revalidate",
      Vary: "X-Api-Key",
    },
  });
}

/** Always `{ error }`, with `details` only for 422 (contract 20, 21). */
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

/** A GET's answer with its weak ETag, or 304 when the client has it already (contract 56). */
export function answerConditional(request: Request, json: string, noStore = false): Response {
  const tag = tagOf(json);
  const known = tagsOf(request.headers.get("if-none-match"));
  const answer = answerJson(json, noStore);
  answer.headers.set("ETag", `W/"${tag}"`);
  if (!known.includes(tag) && !known.includes("*")) return answer;
  answer.headers.delete("Content-Type");
  return new Response(null, { status: 304, headers: answer.headers });
}

/** Throws 412 when If-Match does not name the current answer. Ignores the weak mark: all tags are weak (contract 56). */
export function assertMatch(request: Request, current: string): void {
  const header = request.headers.get("if-match");
  if (header === null) return;
  const wanted = tagsOf(header);
  if (wanted.includes("*") || wanted.includes(tagOf(current))) return;
  throw new HttpError(412, "The resource has changed since you read it. Read it again, then resend the change.");
}

/** Whether an Accept header allows JSON (contract 27). */
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
