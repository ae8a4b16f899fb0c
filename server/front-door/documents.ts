import type { IncomingMessage } from "node:http";
import { carrying, nonceOf } from "./policy";
import type { Captured, WrappedResponse } from "./response";

/** Members' pages and what their scripts send, and files that can be large. */
const OTHERS = /^\/(admin|api|uploads|avatars|icons|og)([/?.]|$)/;
/** What the framework's scripts send to get data instead of a page. */
const FOR_DATA = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree"];

/** Whether the answer may be a reader page. Members' pages and large files are not captured. */
export function isForReaders({ url = "" }: IncomingMessage): boolean {
  return !OTHERS.test(url);
}

/**
 * Renders a reader page without sending it.
 * @param script the URL of the reader script
 * @param whole receives the answer. HTML has the reader script instead of the framework's. The response ignores further
 *   writes until `release`
 */
export function renderDocument(
  request: IncomingMessage,
  { capture }: WrappedResponse,
  script: string,
  render: () => void | Promise<void>,
  whole: (captured: Captured, release: () => void) => void,
): void | Promise<void> {
  // With these headers, the framework would send data for scripts that the page doesn't have. With Accept-Encoding, it would compress
  // the page.
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
 * Replaces the framework's scripts and data with the reader script. Our inline scripts have `data-own`. Scripts without the nonce
 * (structured data, article content) stay.
 */
function asDocument(captured: Captured, script: string): Captured {
  const { status, headers, body } = captured;
  const nonce = nonceOf(String(headers["content-security-policy"] ?? ""));
  // An error page may need the framework.
  if (!nonce || status >= 500 || !String(headers["content-type"]).startsWith("text/html")) return captured;
  const carried = carrying(nonce);
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
