import { Inline } from "@/components/ui/inline";
import { type ErrorCode, errorCodes } from "@/lib/api/errors";
import type { GuideFacts } from "./facts";

/** Whether to retry. The default is no. */
const again: Partial<Record<ErrorCode, string>> = {
  request_in_progress: "In a moment",
  draft_changed_by_member: "After a new GET",
  write_conflict: "In a moment",
  revision_conflict: "After a new GET",
  rate_limited: "After the Retry-After time",
  server_error: "Once",
  not_tried: "Yes",
  unavailable: "After the Retry-After time",
};

export function Errors() {
  return (
    <>
      <p>
        Every error is JSON. <code>error</code> says what went wrong and what to do, in a sentence that you can show to
        users. <code>code</code> is for programs and never changes.
      </p>
      <p>
        A <code>422</code> also includes <code>details</code>, a list of invalid fields. Each entry has a{" "}
        <code>field</code>, a <code>code</code> (<code>required</code>, <code>invalid</code>, <code>taken</code>,{" "}
        <code>too_long</code>, <code>not_found</code>, or <code>not_allowed</code>), and a <code>message</code>.
      </p>
      <p>
        Every response has an <code>X-Request-Id</code>. If you send your own ID, the response repeats that ID. Include
        the ID when you report a problem.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
            <th scope="col">Retry?</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(errorCodes).map(([code, [status, meaning]]) => (
            <tr key={code}>
              <td>
                <code>{status}</code>
              </td>
              <td>
                <Inline>{meaning}</Inline>
              </td>
              <td className="whitespace-nowrap">{again[code as ErrorCode] ?? "No"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

export function Paging() {
  return (
    <>
      <p>
        Lists are paginated. <code>page_number</code> starts at 1. <code>page_size</code> can be up to 100. Larger
        values return 100 items. The default is 30. Every list has a <code>pagination</code> object.
      </p>
      <p>
        Continue while <code>current_page_number</code> is below <code>total_pages</code>. An empty list has 0 pages. A
        page past the end has an empty list and correct totals. As long as the list doesn't change, no item is repeated
        or skipped.
      </p>
    </>
  );
}

export function Search() {
  return (
    <>
      <p>
        <code>GET /search</code> returns published articles, best match first. A word in the title counts most, then in
        the description, the text, the slug, the category name, and the keywords. Each word also matches longer words
        that start with it. Articles with all words come first. If few articles have all words, articles with some of
        the words follow. Search also uses the synonyms of this knowledge base.
      </p>
      <ul>
        <li>
          <code>matched_title</code>, <code>matched_heading</code>, <code>matched_content</code>, and{" "}
          <code>matched_category</code> are safe HTML. The text is escaped, and each matching word is in a{" "}
          <code>span</code> with the <code>article-matched-tag</code> class. Fields without a match are{" "}
          <code>null</code>.
        </li>
        <li>
          <code>matched_heading</code> is the heading of the section that matches best. <code>url</code> then ends with
          the anchor of that section.
        </li>
        <li>
          If few articles match, misspelled words are corrected. <code>corrected_term</code> is the corrected search, or{" "}
          <code>null</code>. Matches for the words as typed come first. <code>total_records</code> also counts matches
          for the corrected words. If it is <code>"password"</code>, your search box can show{" "}
          <q>Including results for password</q>.
        </li>
        <li>
          A search without a letter or digit returns an empty list. A search without any text returns a <code>422</code>
          .
        </li>
      </ul>
      <p>
        <code>search_term</code> of <code>GET /articles</code> filters the list instead. It includes drafts, keeps the
        order of the list, and uses neither synonyms nor corrections.
      </p>
    </>
  );
}

export function Limits({ limits }: GuideFacts) {
  const per = [
    { most: limits.key, things: "requests" },
    { most: limits.search, things: "searches" },
    { most: limits.write, things: "writes" },
  ].flatMap(({ most, things }) => (most > 0 ? [`${most.toLocaleString("en")} ${things}`] : []));
  return (
    <>
      {per.length === 0 ? (
        <p>This installation doesn't limit requests per key.</p>
      ) : (
        <p>
          A key can send up to {new Intl.ListFormat("en").format(per)} per minute. Every response to a request with a
          valid key has <code>RateLimit-Policy</code> (<code>q</code> requests in <code>w</code> seconds) and{" "}
          <code>RateLimit</code> (<code>r</code> requests remain, and the limit resets in <code>t</code> seconds).
        </p>
      )}
      <p>
        Over the limit, you get <code>429</code> with <code>Retry-After</code>. Wait that many seconds, then retry.
        Treat <code>503</code> the same way. Give up after a few attempts, and send nothing else with this key while you
        wait.
      </p>
      {limits.failed > 0 && (
        <p>
          After {limits.failed.toLocaleString("en")} requests with invalid keys in a minute, a client IP gets{" "}
          <code>429</code> for further invalid keys. Valid keys keep working.
        </p>
      )}
    </>
  );
}

export function Repeated() {
  return (
    <>
      <p>
        If a connection breaks, you can&apos;t know whether a change was made. Send an <code>Idempotency-Key</code>,
        such as a UUID, with every change. If you send the change again with the same key, Lectern makes the change only
        once.
      </p>
      <ul>
        <li>
          The same request gets the first response again, with <code>Idempotency-Replayed: true</code>.
        </li>
        <li>
          While the first request is still running, you get <code>409</code>. Wait a moment, then send the request
          again.
        </li>
        <li>
          A different request with the same key gets <code>422</code>.
        </li>
      </ul>
      <p>
        Idempotency keys are kept for 24 hours, separately for each API key, and only after a success. A refused request
        changes nothing, so you can correct the request and send it again with the same idempotency key.
      </p>
    </>
  );
}

export function Conditional() {
  return (
    <>
      <p>
        Every successful <code>GET</code> has a weak <code>ETag</code>. Store it with the response.
      </p>
      <ul>
        <li>
          <strong>Fetch only changes.</strong> Send the ETag in <code>If-None-Match</code>. If nothing has changed, you
          get <code>304</code> without a body. Otherwise, you get <code>200</code> with a new ETag.
        </li>
        <li>
          <strong>Avoid overwriting changes.</strong> Get a resource, such as a team member, then send its ETag in{" "}
          <code>If-Match</code> with your <code>PATCH</code>. If someone else changed the resource first, you get{" "}
          <code>412</code>, and nothing changes. Get the resource again, and repeat your change.
        </li>
      </ul>
    </>
  );
}
