import { createHash } from "node:crypto";

const style =
  "body{margin:0;background:#faf9f7;color:#23201d;font:17px/1.65 system-ui,sans-serif}" +
  "main{max-width:36rem;margin:0 auto;padding:7rem 1.25rem}" +
  "h1{margin:0;font-size:2rem;line-height:1.2;letter-spacing:-.015em}" +
  "p{margin:1rem 0 0;text-wrap:pretty}" +
  "a{display:inline-flex;align-items:center;height:2.75rem;padding:0 1rem;border-radius:6px;background:#155e63;color:#fbfdfd;" +
  "font-size:.875rem;font-weight:500;text-decoration:none}" +
  "a:hover{background:#0f4b4f}a:focus-visible{outline:2px solid #155e63;outline-offset:2px}" +
  "@media(width<48rem){main{padding-block:4rem}h1{font-size:1.5rem}}" +
  "@media(prefers-color-scheme:dark){body{background:#171412;color:#e8e4df}a{background:#7fc0c4;color:#0a2324}a:hover{background:#97d1d5}" +
  "a:focus-visible{outline-color:#7fc0c4}}";

const styleHash = createHash("sha256").update(style).digest("base64");

/** Allows the page's own style and a link, and nothing else. */
export const FAILURE_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Failure {
  title: string;
  /** Without HTML, because they are not escaped. */
  sentences: readonly string[];
  /** Requests the same URL again by default. */
  link?: { href: string; name: string };
}

/** Whether a person will read the response. Scripts and programs do not ask for HTML. */
export function wantsPage(accept: string | null | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}

/** The page to send when no other page can be rendered. */
export function failurePage({ title, sentences, link = { href: "", name: "Try again" } }: Failure): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${sentences.map((sentence) => `<p>${sentence}</p>`).join("\n")}
<p><a href="${link.href}">${link.name}</a></p>
</main>
</body>
</html>
`;
}
