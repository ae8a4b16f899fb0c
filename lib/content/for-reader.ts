import type { CalloutKind } from "@/lib/content/schema";
import { say } from "@/lib/say";

/** What is said around an article's content, in the reader's language. Names in braces are placeholders. */
type ContentWords = Record<"link" | "code" | "codeNumber" | "codeIn" | "table" | "watch" | CalloutKind, string>;

/** Names of code languages that differ from the capitalized id. */
const languages = new Map(
  `js JavaScript, javascript JavaScript, ts TypeScript, typescript TypeScript, sh Shell, powershell PowerShell,
  ps1 PowerShell, jsonc JSON, yml YAML, graphql GraphQL, py Python, rb Ruby, rs Rust, md Markdown, kt Kotlin, cpp C++, cs C#,
  csharp C#, fsharp F#, objective-c Objective-C, txt Text, plaintext Text, jsx JSX, tsx TSX, json JSON, json5 JSON5,
  yaml YAML, toml TOML, xml XML, csv CSV, html HTML, css CSS, scss SCSS, sql SQL, http HTTP, ini INI, php PHP, mdx MDX`
    .split(/,\s+/)
    .map((entry) => entry.split(" ") as [id: string, name: string]),
);

const anyTag = /<[^>"]*(?:"[^"]*"[^>"]*)*>/g;

/** A tag as content.ts prints it: "<" in text is escaped, and every value is in double quotes. */
const tag =
  /<pre tabindex="0"><code(?: class="language-([^"]*)")?>|<div class="table-scroll" tabindex="0">|<aside class="callout callout-([a-z]+)" role="note">|<div class="video" data-player="([^"]*)"><a href="([^"]*)">[^<]*<\/a>|<(h[2-6]) id="([^"]*)">|<\/(?:pre|h[2-6])>|<[^>"]*(?:"[^"]*"[^>"]*)*>/g;

/** Adds frames, names and links to rendered HTML (render.ts). With a regular expression, because parsing is 100 times slower. */
export function htmlForReader(
  renderedHtml: string,
  { language: reader, content: words }: { language: string; content: ContentWords },
): string {
  let [codes, tables] = [0, 0];
  let [anchor, headingStart, inCode] = ["", 0, false];
  return renderedHtml.replace(
    tag,
    (
      whole: string,
      language?: string,
      callout?: string,
      player?: string,
      video?: string,
      heading?: string,
      id?: string,
      offset?: number,
    ) => {
      if (heading) {
        [anchor, headingStart] = [id ?? "", (offset ?? 0) + whole.length];
        return `<div class="heading heading-${heading}">${whole}`;
      }
      if (anchor && /^<\/h[2-6]>$/.test(whole)) {
        const name = renderedHtml.slice(headingStart, offset).replace(anyTag, "").replaceAll('"', "&quot;");
        const link = `<a class="heading-link" href="#${anchor}" aria-label="${say(reader, words.link, { heading: name })}">#</a></div>`;
        anchor = "";
        return whole + link;
      }
      if (whole.startsWith('<pre tabindex="0"><code')) {
        inCode = true;
        codes += 1;
        const name = language
          ? (languages.get(language) ?? language[0]?.toUpperCase() + language.slice(1))
          : words.code;
        const label = say(reader, language ? words.codeIn : words.codeNumber, { number: codes, language: name });
        return (
          `<div class="code" data-code-frame=""><div class="code-head"><span>${asText(name)}</span></div>` +
          whole.replace(">", ` role="region" aria-label="${label}">`)
        );
      }
      if (inCode && whole === "</pre>") {
        inCode = false;
        return `${whole}</div>`;
      }
      if (whole.startsWith('<div class="table-scroll"')) {
        tables += 1;
        return whole.replace(">", ` role="region" aria-label="${say(reader, words.table, { number: tables })}">`);
      }
      if (callout) return `${whole}<p class="callout-name">${words[callout as CalloutKind]}</p>`;
      if (video) {
        const provider = player?.includes("vimeo") ? "Vimeo" : "YouTube";
        const address = video.replace(/^https:\/\/(?:www\.)?/, "");
        return (
          `<div class="video"><a href="${video}"><span class="video-name">${say(reader, words.watch, { provider })}</span> ` +
          `<span class="video-address">${asText(address)}</span></a>`
        );
      }
      return whole;
    },
  );
}

/** Attribute values are printed without escaping "<". */
function asText(value: string): string {
  return value.replace(/</g, "&lt;");
}
