import type { IncomingMessage } from "node:http";
import type { Captured, WrappedResponse } from "./response";

/** Members' pages, and files that can be large. */
const OTHERS = /^\/(admin|uploads|avatars|icons|og)([/?.]|$)/;
/** What the framework's scripts send to get data instead of a page. */
const FOR_DATA = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree"];
const NONCE = /'nonce-([\w+/=-]+)'/;

/** Whether the request is for a page of readers, which is sent as a document without the framework. */
export function isForReaders({ url = "" }: IncomingMessage): boolean {
  return !OTHERS.test(url);
}

/**
 * Renders a page for readers without sending it.
 * @param whole gets the answer, as a document if it is one. The response ignores further writes until `release`
 */
export function renderDocument(
  request: IncomingMessage,
  { capture }: WrappedResponse,
  script: string,
  render: () => void | Promise<void>,
  whole: (captured: Captured, release: () => void) => void,
): void | Promise<void> {
  // The framework would answer with data for its scripts, which are not in the page, or compress it.
  for (const name of FOR_DATA) delete request.headers[name];
  const { method } = request;
  const encodings = request.headers["accept-encoding"];
  if (method === "HEAD") request.method = "GET";
  delete request.headers["accept-encoding"];
  capture((captured, release) => {
    request.method = method;
    request.headers["accept-encoding"] = encodings;
    whole(asDocument(captured, script), release);
  });
  return render();
}

/**
 * Removes the framework's scripts and their data from a page, and adds the script of readers' pages. A script of ours has the
 * attribute `data-own`, and all scripts but those of the content carry the nonce.
 * @param script its URL
 */
function asDocument(captured: Captured, script: string): Captured {
  const { status, headers, body } = captured;
  const nonce = NONCE.exec(String(headers["content-security-policy"] ?? ""))?.[1];
  // An error page may need the framework.
  if (!nonce || status >= 500 || !String(headers["content-type"]).startsWith("text/html")) return captured;
  const carried = `[^>]*\\snonce="${nonce.replaceAll("+", "\\+")}"[^>]*`;
  const framework = new RegExp(
    `<link\\b(?=[^>]*\\sas="script")${carried}>|<script\\b(?![^>]*\\sdata-own)${carried}>[\\s\\S]*?</script>`,
    "g",
  );
  const html = body
    .toString("utf8")
    .replace(framework, "")
    .replace("</head>", `<script type="module" nonce="${nonce}" src="${script}"></script></head>`);
  return { ...captured, body: Buffer.from(html) };
}
