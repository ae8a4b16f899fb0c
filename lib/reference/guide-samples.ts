import type { Sample } from "./samples";

// Complete programs for the guides. A test runs each. `api` is such as https://docs.example.com/api/external/v2.

const firstCall = (api: string): Sample => ({
  curl: `curl "${api}/me" \\
  -H "X-Api-Key: $LECTERN_API_KEY"`,
  javascript: `const response = await fetch("${api}/me", {
  headers: { "X-Api-Key": process.env.LECTERN_API_KEY },
});

console.log(response.status, await response.json());`,
  python: `import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${api}/me",
    headers={"X-Api-Key": os.environ["LECTERN_API_KEY"]},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`,
});

const readAnError = (api: string): Sample => ({
  curl: `curl -i "${api}/articles/no-such-article" \\
  -H "X-Api-Key: $LECTERN_API_KEY"`,
  javascript: `const api = "${api}";

const response = await fetch(\`\${api}/articles/no-such-article\`, {
  headers: { "X-Api-Key": process.env.LECTERN_API_KEY },
});
if (!response.ok) {
  const { error, details = [] } = await response.json();
  console.log(response.status, error);
  for (const { field, code, message } of details) {
    console.log(field, code, message);
  }
  console.log("Request:", response.headers.get("X-Request-Id"));
}`,
  python: `import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = "${api}"

request = Request(
    f"{api}/articles/no-such-article",
    headers={"X-Api-Key": os.environ["LECTERN_API_KEY"]},
)
try:
    urlopen(request)
except HTTPError as refused:
    answer = json.load(refused)
    print(refused.code, answer["error"])
    for detail in answer.get("details", []):
        print(detail["field"], detail["code"], detail["message"])
    print("Request:", refused.headers["X-Request-Id"])`,
});

const everyPage = (api: string): Sample => ({
  curl: `page=1
pages=1
while [ "$page" -le "$pages" ]; do
  answer=$(curl -sS --fail-with-body -G "${api}/articles" \\
    -H "X-Api-Key: $LECTERN_API_KEY" \\
    --data-urlencode "state=published" \\
    --data-urlencode "page_size=100" \\
    --data-urlencode "page_number=$page") || break
  printf '%s\\n' "$answer"
  pages=$(printf '%s' "$answer" |
    grep -o '"total_pages":[0-9]*' | cut -d: -f2)
  page=$((page + 1))
done`,
  javascript: `const api = "${api}";

async function* publishedArticles() {
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({
      state: "published",
      page_size: "100",
      page_number: String(page),
    });
    const response = await fetch(\`\${api}/articles?\${query}\`, {
      headers: { "X-Api-Key": process.env.LECTERN_API_KEY },
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);

    yield* answer.articles;
    const { current_page_number, total_pages } = answer.pagination;
    if (current_page_number >= total_pages) return;
  }
}

for await (const article of publishedArticles()) {
  console.log(article.title);
}`,
  python: `import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

api = "${api}"

def published_articles():
    page, pages = 0, 1
    while page < pages:
        query = urlencode({
            "state": "published",
            "page_size": 100,
            "page_number": page + 1,
        })
        request = Request(
            f"{api}/articles?{query}",
            headers={"X-Api-Key": os.environ["LECTERN_API_KEY"]},
        )
        with urlopen(request) as response:
            answer = json.load(response)
        yield from answer["articles"]
        page = answer["pagination"]["current_page_number"]
        pages = answer["pagination"]["total_pages"]

for article in published_articles():
    print(article["title"])`,
});

const search = (api: string): Sample => ({
  curl: `curl -G "${api}/search" \\
  -H "X-Api-Key: $LECTERN_API_KEY" \\
  --data-urlencode "search_term=password" \\
  --data-urlencode "page_size=5"`,
  javascript: `const api = "${api}";
const query = new URLSearchParams({
  search_term: "password",
  page_size: "5",
});

const response = await fetch(\`\${api}/search?\${query}\`, {
  headers: { "X-Api-Key": process.env.LECTERN_API_KEY },
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error);

if (answer.corrected_term) {
  console.log(\`Also searched for \${answer.corrected_term}\`);
}
for (const match of answer.matches) {
  console.log(match.title, match.url);
}`,
  python: `import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

api = "${api}"
query = urlencode({
    "search_term": "password",
    "page_size": 5,
})

request = Request(
    f"{api}/search?{query}",
    headers={"X-Api-Key": os.environ["LECTERN_API_KEY"]},
)
with urlopen(request) as response:
    answer = json.load(response)

if answer["corrected_term"]:
    print("Also searched for", answer["corrected_term"])
for match in answer["matches"]:
    print(match["title"], match["url"])`,
});

const backOff = (api: string): Sample => ({
  curl: `# Waits as long as Retry-After says.
curl --retry 5 "${api}/articles" \\
  -H "X-Api-Key: $LECTERN_API_KEY"`,
  javascript: `import { setTimeout as sleep } from "node:timers/promises";

const api = "${api}";

async function get(path) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(api + path, {
      headers: { "X-Api-Key": process.env.LECTERN_API_KEY },
    });
    const busy = response.status === 429 || response.status === 503;
    if (!busy || attempt === 5) return response;
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    await sleep(seconds * 1000);
  }
}

const response = await get("/articles");
console.log(response.status, response.headers.get("RateLimit"));`,
  python: `import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = "${api}"

def get(path):
    request = Request(
        api + path,
        headers={"X-Api-Key": os.environ["LECTERN_API_KEY"]},
    )
    for attempt in range(5):
        try:
            return urlopen(request)
        except HTTPError as refused:
            if refused.code not in (429, 503) or attempt == 4:
                raise
            time.sleep(int(refused.headers.get("Retry-After", 1)))

with get("/articles") as response:
    print(response.status, response.headers["RateLimit"])`,
});

const askAgain = (api: string): Sample => ({
  curl: `# Run this twice. The second time, the file doesn't change.
curl -sS -o articles.json -w '%{http_code}\\n' \\
  --etag-compare articles.etag --etag-save articles.etag \\
  "${api}/articles" \\
  -H "X-Api-Key: $LECTERN_API_KEY"`,
  javascript: `const api = "${api}";
const headers = { "X-Api-Key": process.env.LECTERN_API_KEY };

const first = await fetch(\`\${api}/articles\`, { headers });
const kept = await first.json();
const tag = first.headers.get("ETag");

const second = await fetch(\`\${api}/articles\`, {
  headers: { ...headers, "If-None-Match": tag },
});
const articles = second.status === 304 ? kept : await second.json();
console.log(second.status, articles.pagination);`,
  python: `import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = "${api}"
headers = {"X-Api-Key": os.environ["LECTERN_API_KEY"]}

with urlopen(Request(f"{api}/articles", headers=headers)) as first:
    kept = json.load(first)
    tag = first.headers["ETag"]

again = Request(
    f"{api}/articles",
    headers={**headers, "If-None-Match": tag},
)
try:
    with urlopen(again) as second:
        status, articles = second.status, json.load(second)
except HTTPError as answer:
    if answer.code != 304:
        raise
    status, articles = 304, kept
print(status, articles["pagination"])`,
});

export const guideSamples = { firstCall, readAnError, everyPage, search, backOff, askAgain };
