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
        Every error is JSON. <code>error</code> says what went wrong and what to do, in a message that you can show to
        users. <code>code</code> is for programs and never changes. Responses from v1 have no <code>code</code>.
      </p>
      <p>
        A <code>422</code> also includes <code>details</code>, a list of invalid fields. Each entry has a{" "}
        <code>field</code>, a <code>code</code> (<code>required</code>, <code>invalid</code>, <code>taken</code>,{" "}
        <code>too_long</code>, <code>not_found</code>, or <code>not_allowed</code>), and a <code>message</code>.
      </p>
      <p>
        Every response has an <code>X-Request-Id</code>. If you send your own ID in this header, the response returns
        that ID. Include the ID when you report a problem.
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
        Most lists have numbered pages and a <code>pagination</code> object. <code>page_number</code> starts at 1.{" "}
        <code>page_size</code> is 30 by default and can be up to 100. Larger values return 100 items.
      </p>
      <p>
        Request the next page while <code>current_page_number</code> is below <code>total_pages</code>. An empty list
        has 0 pages. A page past the end has an empty list and correct totals. As long as the list doesn't change, no
        item is repeated or skipped.
      </p>
      <p>
        <code>GET /changes</code> and <code>GET /audit-entries</code> have no page numbers. They return a{" "}
        <code>cursor</code> to continue from.
      </p>
    </>
  );
}

export function Search() {
  return (
    <>
      <p>
        <code>GET /search</code> returns published articles, best match first. A match in the title counts most,
        followed by matches in the description, the text, the slug, the category name, and the keywords. Each word also
        matches longer words that start with it. Articles with all words of the search usually come first. If few
        articles have all words, articles with some of the words follow. Search also uses the synonyms of this knowledge
        base.
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
          <code>null</code>. For example, if <code>corrected_term</code> is <code>"password"</code>, your search box can
          show <q>Including results for password</q>. Matches for the words as typed come first.{" "}
          <code>total_records</code> also counts matches for the corrected words.
        </li>
        <li>
          A search without letters or digits returns an empty list. A search without any text returns a <code>422</code>
          .
        </li>
      </ul>
      <p>
        To filter the list of articles instead, send <code>search_term</code> to <code>GET /articles</code>. The
        filtered list can include drafts, keeps its order, and uses neither synonyms nor corrections.
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
          A key can send up to {new Intl.ListFormat("en").format(per)} per minute.
          {limits.key > 0 && per.length > 1 && " Searches and writes also count as requests."} Every response to a
          request with a valid key has <code>RateLimit-Policy</code> (<code>q</code> requests in <code>w</code> seconds)
          and <code>RateLimit</code> (<code>r</code> requests remain, and the limit resets in <code>t</code> seconds).
        </p>
      )}
      <p>
        If you exceed a limit, you get <code>429</code> with <code>Retry-After</code>. Wait that many seconds, then
        retry. Treat <code>503</code> the same way. Give up after a few attempts, and send nothing else with this key
        while you wait.
      </p>
      {limits.failed > 0 && (
        <p>
          After {limits.failed.toLocaleString("en")} requests with invalid keys from one IP address in a minute, further
          requests with invalid keys from that address get <code>429</code>. Valid keys keep working.
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
        such as a UUID, with every change. If you repeat the request with the same idempotency key, Lectern makes the
        change only once.
      </p>
      <ul>
        <li>
          If the first request succeeded, you get its response again, with <code>Idempotency-Replayed: true</code>.
        </li>
        <li>
          If the first request is still running, you get <code>409</code>. Wait a moment, then send the request again.
        </li>
        <li>
          If the request differs from the first one, you get <code>422</code>.
        </li>
      </ul>
      <p>
        Lectern keeps an idempotency key for 24 hours after a successful request, separately for each API key. A refused
        request changes nothing, so you can correct it and send it again with the same idempotency key.
      </p>
    </>
  );
}

export function Conditional() {
  return (
    <>
      <p>
        Every successful response to a <code>GET</code> request has a weak <code>ETag</code>. Store it with the
        response.
      </p>
      <ul>
        <li>
          <strong>Fetch only changes.</strong> Send the ETag in <code>If-None-Match</code>. If nothing has changed, you
          get <code>304</code> without a body. Otherwise, you get <code>200</code> with a new ETag.
        </li>
        <li>
          <strong>Avoid overwriting changes.</strong> Get a resource, such as a team member, then send its ETag in{" "}
          <code>If-Match</code> with your <code>PATCH</code>. If someone else changed the resource first, you get{" "}
          <code>412</code>, and nothing changes. Get the resource again and repeat your change.
        </li>
      </ul>
    </>
  );
}
