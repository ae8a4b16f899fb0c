import { assertDocumented } from "@/testing/document";
import type { Answer } from "./answers";
import type { RawSample, RequestSample, Sample } from "./sample";
import type { Outcome } from "./send";
import type { World } from "./world";

/**
 * Every problem with the result of a sample, one sentence each. Empty when the result follows the contract.
 * @param isAway whether the database was away, so that any request can be a 503
 */
export function problemsWith(world: World, sample: Sample, outcome: Outcome, isAway = false): string[] {
  const problems = outcome.problem ? [outcome.problem] : [];
  const allowed = world.hasLimits || sample.limited || mayMail(sample) ? [...sample.expected, 429] : sample.expected;
  for (const { status } of outcome.answers) {
    if (status === 503 && isAway) continue;
    if (status >= 500) problems.push(`the status is ${status}`);
    else if (!allowed.includes(status)) problems.push(`the status is ${status}, not ${allowed.join(" or ")}`);
  }
  const own =
    sample.kind === "raw"
      ? rawProblems(sample, outcome)
      : outcome.answers.flatMap((one) => requestProblems(sample, one));
  return [...new Set([...problems, ...own, ...outcome.answers.flatMap((answer) => leaks(world, sample, answer))])];
}

/** A changed email and an invitation send mail, which every server limits. */
const mayMail = (sample: Sample) =>
  sample.kind === "request" &&
  ((sample.method === "PATCH" && /\/team[-_]members\//.test(sample.documentedAs)) ||
    (sample.method === "POST" && /\/invitations\b/.test(sample.documentedAs)));

function requestProblems(sample: RequestSample, answer: Answer): string[] {
  const { method, documentedAs } = sample;
  const { status } = answer;
  const problems: string[] = [];
  const [body, unreadable] = jsonOf(answer);
  if (unreadable) problems.push(unreadable);
  const headers = new Headers(answer.headers);
  try {
    assertDocumented({ method, path: documentedAs, status, headers, body });
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (sample.requestId && headers.get("x-request-id") !== sample.requestId)
    problems.push("the X-Request-Id that was sent is not answered");
  if (status === 422 && method !== "HEAD") problems.push(...unnamedFields(sample, body));
  if (status === 200) problems.push(...pagingProblems(sample, body));
  return problems;
}

/** Every field that cannot be used is named (contract 20). */
function unnamedFields({ invalidFields }: RequestSample, body: unknown): string[] {
  const named = (body as { details?: { field: string }[] } | null)?.details?.map(({ field }) => field) ?? [];
  const alias = (field: string) => (field === "search_term" ? [field, "query", "q"] : [field]);
  return invalidFields
    .filter((field) => !alias(field).some((name) => named.includes(name)))
    .map((field) => `${field} is not named in details`);
}

/** A list must report the requested page, and contain no more than that (contract 9 to 11). */
function pagingProblems({ paging }: RequestSample, body: unknown): string[] {
  const list = body as Record<string, unknown> | null;
  if (!list?.pagination) return [];
  const pagination = list.pagination as Record<
    "total_records" | "total_pages" | "current_page_number" | "page_size",
    number
  >;
  const { total_records, total_pages, current_page_number, page_size } = pagination;
  const items = Object.values(list).find(Array.isArray)?.length ?? 0;
  const left = Math.max(0, total_records - (current_page_number - 1) * page_size);
  const problems: string[] = [];
  if (items !== Math.min(page_size, left))
    problems.push(`the page holds ${items} items, not ${Math.min(page_size, left)}`);
  if (total_pages !== Math.ceil(total_records / page_size)) problems.push(`total_pages is ${total_pages}`);
  if (paging && current_page_number !== (paging.number ?? 1))
    problems.push(`current_page_number is ${current_page_number}`);
  if (paging && page_size !== (paging.size ?? 30)) problems.push(`page_size is ${page_size}`);
  return problems;
}

/** For malformed HTTP, only this is documented: a clean refusal in JSON, or a closed connection. */
function rawProblems(sample: RawSample, { answers }: Outcome): string[] {
  if (sample.abandons) return [];
  const [least, most] = sample.answers;
  const problems: string[] = [];
  if (answers.length < least || answers.length > most) {
    problems.push(`there are ${answers.length} answers, not ${least === most ? least : `${least} to ${most}`}`);
  }
  for (const answer of answers) {
    const header = new Headers(answer.headers);
    if (sample.hidden && header.get("x-request-id") === sample.hidden)
      problems.push("a request that was hidden, or came too late, is answered");
    if (!sample.isElsewhere) problems.push(...refusalProblems(answer, header));
  }
  const ids = sample.requestIds && answers.map(({ headers }) => new Headers(headers).get("x-request-id"));
  if (ids && ids.join() !== sample.requestIds?.join()) problems.push(`the answers come in the order ${ids.join()}`);
  return problems;
}

/** Checks what every answer promises, even to a malformed request (contract 21, 60). */
function refusalProblems(answer: Answer, headers: Headers): string[] {
  const problems: string[] = [];
  if (!headers.get("x-request-id")) problems.push("the header x-request-id is missing");
  if (headers.get("x-content-type-options") !== "nosniff")
    problems.push("the header x-content-type-options is not nosniff");
  if (answer.status < 400) return problems;
  const [body, unreadable] = jsonOf(answer);
  if (unreadable) return [...problems, unreadable];
  // v1 and bytes that are no HTTP get no code.
  const names = Object.keys(body ?? {}).filter((name) => name !== "code");
  const wanted = answer.status === 422 ? "error,details" : "error";
  if (names.join() !== wanted)
    problems.push(`the body of ${answer.status} is not {${wanted}}: ${answer.body.toString().slice(0, 200)}`);
  return problems;
}

/** @returns the parsed body, or why it cannot be read */
function jsonOf({ status, body }: Answer): [unknown, string | null] {
  if (body.length === 0) return [null, null];
  try {
    return [JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)), null];
  } catch {
    return [null, `the body of ${status} is not JSON: ${JSON.stringify(body.toString("latin1").slice(0, 200))}`];
  }
}

/** The other workspace's word and ids, unless the request itself contained them. */
function leaks({ rival, domain }: World, sample: Sample, { headers, body }: Answer): string[] {
  // Answers repeat the host they were requested at.
  const ownHost = sample.kind === "raw" || sample.toRival ? `${rival.subdomain}.${domain}` : null;
  const without = (text: string) => (ownHost === null ? text : text.replaceAll(ownHost, ""));
  const text = without(body.toString());
  const all = `${text}\n${sample.kind === "raw" ? "" : without(headers.map(([, value]) => value).join("\n"))}`;
  // Links to pages and an article's external id repeat the address.
  const brought = (word: string) => sample.kind === "request" && pathOf(sample).includes(word);
  return [rival.word, ...Object.values(rival.ids).flat()]
    .filter((word) => all.includes(word) && !brought(word))
    .map((word) => `something of another workspace is in the answer: ${word}`);
}

function pathOf({ path }: RequestSample): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
