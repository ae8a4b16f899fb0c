import { Inline } from "@/components/ui/inline";
import type { GuideFacts } from "./facts";

/** Whether to retry, by status. */
const again: Record<string, string> = {
  "412": "after a new GET",
  "429": "after Retry-After",
  "500": "once",
  "503": "after Retry-After",
};

export function Errors({ statuses }: GuideFacts) {
  const refusals = [
    ...statuses.filter(({ status }) => status >= "400"),
    { status: "405", description: "The path does not answer this method: `Allow` names those it does." },
  ].sort((one, other) => one.status.localeCompare(other.status));
  return (
    <>
      <p>
        Every error is JSON with the field <code>error</code>: a sentence that says what is wrong and what to do. Show
        it to people; let programs decide by the status.
      </p>
      <p>
        Only a <code>422</code> says more: <code>details</code> lists every field that cannot be used, with its{" "}
        <code>field</code>, a <code>code</code> (<code>required</code>, <code>invalid</code>, <code>taken</code>,{" "}
        <code>too_long</code>, <code>not_found</code> or <code>not_allowed</code>) and a <code>message</code>.
      </p>
      <p>
        Every answer has an <code>X-Request-Id</code>. Send one of your own and it is kept. Tell it to whoever runs the
        server: the logs name it too.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
            <th scope="col">Send again?</th>
          </tr>
        </thead>
        <tbody>
          {refusals.map(({ status, description }) => (
            <tr key={status}>
              <td>
                <code>{status}</code>
              </td>
              <td>
                <Inline>{description}</Inline>
              </td>
              <td className="whitespace-nowrap">{again[status] ?? "no"}</td>
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
        Lists come in pages: <code>page_number</code> from 1, <code>page_size</code> from 1 to 100, 30 if you do not
        say. More than 100 is answered with 100. Beside the items stands <code>pagination</code>.
      </p>
      <p>
        Go on while <code>current_page_number</code> is below <code>total_pages</code>. An empty list has 0 pages. A
        page past the end is no error: it is empty, with the true totals. The order of every list is total, so pages
        neither repeat nor drop an item while nothing is added.
      </p>
    </>
  );
}

export function Search() {
  return (
    <>
      <p>
        <code>GET /search</code> finds published articles, the best match first: a word in the title counts most, then
        in the text, the slug, the category's name and the keywords. Of equals, those come first that have the words
        side by side. Each word matches from its start, and all of them have to match, wherever in the article; where
        nothing has them all, small words such as <q>how do I</q> are left out. The synonyms of this knowledge base are
        found as well.
      </p>
      <ul>
        <li>
          <code>matched_title</code>, <code>matched_heading</code>, <code>matched_content</code> and{" "}
          <code>matched_category</code> are safe HTML: the text is escaped, and each matching word is in a{" "}
          <code>span</code> of the class <code>article-matched-tag</code>. They are <code>null</code> where nothing
          matched.
        </li>
        <li>
          <code>matched_heading</code> names the section with the answer. <code>url</code> then ends with its anchor.
        </li>
        <li>
          Where few articles are found, misspelt words are corrected: <code>corrected_term</code> is the whole text in
          the spelling that was searched as well, or <code>null</code>. Exact matches come first, corrected ones follow,
          and <code>total_records</code> counts both. In a search box, show it as{" "}
          <q>Results for pasword, also for password</q>.
        </li>
        <li>
          A text without a letter or digit finds nothing: <code>200</code> and an empty list. No text at all is a{" "}
          <code>422</code>.
        </li>
      </ul>
      <p>
        <code>search_term</code> of <code>GET /articles</code> is a filter instead: drafts too, in the order of the
        list, without synonyms, and never corrected.
      </p>
    </>
  );
}

export function Limits({ limits }: GuideFacts) {
  return (
    <>
      {limits.key === 0 && limits.search === 0 ? (
        <p>This installation does not limit how many requests a key may send. Others may.</p>
      ) : (
        <p>
          {limits.key > 0 && <>A key may send {limits.key.toLocaleString("en")} requests a minute</>}
          {limits.key > 0 && limits.search > 0 && ", "}
          {limits.search > 0 && (
            <>
              {limits.key === 0 && "A key may send "}
              {limits.search.toLocaleString("en")} searches{limits.key > 0 ? " among them" : " a minute"}
            </>
          )}
          . <code>RateLimit-Policy</code> says so in every answer (<code>q</code> requests in <code>w</code> seconds),
          and <code>RateLimit</code> what is left (<code>r</code> more, anew in <code>t</code> seconds).
        </p>
      )}
      <p>
        Over a limit, the answer is <code>429</code> with <code>Retry-After</code>: wait as many seconds, then send the
        same again. A <code>503</code> asks for the same. Give up after a few times, and send nothing else with this key
        meanwhile.
      </p>
      {limits.failed > 0 && (
        <p>
          A client whose address sends {limits.failed.toLocaleString("en")} refused keys within a minute gets a{" "}
          <code>429</code> for further ones. A valid key is never refused for that.
        </p>
      )}
    </>
  );
}

export function Conditional() {
  return (
    <>
      <p>
        Every <code>GET</code> that is answered with <code>200</code> has a weak <code>ETag</code>. Keep it beside what
        you fetched.
      </p>
      <ul>
        <li>
          <strong>Fetch what is new.</strong> Send the tag in <code>If-None-Match</code>. Nothing has changed: a{" "}
          <code>304</code> without a body. Otherwise a <code>200</code> with a new tag.
        </li>
        <li>
          <strong>Overwrite nobody.</strong> Read a team member, and send the tag in <code>If-Match</code> with your{" "}
          <code>PATCH</code>. Somebody else was faster: a <code>412</code>, and nothing is changed. Read again, look,
          and send your change anew.
        </li>
      </ul>
    </>
  );
}
