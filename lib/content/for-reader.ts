import type { CalloutKind } from "@/lib/content/schema";

/** What callouts are called above their text. */
const callouts: Record<CalloutKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

/** How languages of code are written, where that is more than a capital letter. */
const languages = new Map<string, string>(
  Object.entries({
    ...{
      js: "JavaScript",
      javascript: "JavaScript",
      jsx: "JSX",
      ts: "TypeScript",
      typescript: "TypeScript",
      tsx: "TSX",
    },
    ...{ sh: "Shell", bash: "Bash", zsh: "Zsh", console: "Console", powershell: "PowerShell", ps1: "PowerShell" },
    ...{ json: "JSON", jsonc: "JSON", json5: "JSON5", yaml: "YAML", yml: "YAML", toml: "TOML", xml: "XML", csv: "CSV" },
    ...{ html: "HTML", css: "CSS", scss: "SCSS", sql: "SQL", graphql: "GraphQL", http: "HTTP", ini: "INI", php: "PHP" },
    ...{ py: "Python", rb: "Ruby", rs: "Rust", md: "Markdown", mdx: "MDX", kt: "Kotlin", "c++": "C++", cpp: "C++" },
    ...{
      "c#": "C#",
      cs: "C#",
      csharp: "C#",
      fsharp: "F#",
      "objective-c": "Objective-C",
      txt: "Text",
      plaintext: "Text",
    },
  }),
);

const anyTag = /<[^>"]*(?:"[^"]*"[^>"]*)*>/g;

/** A tag as the printer of content.ts writes it: each "<" of a text is escaped, each value stands in double quotes. */
const tag =
  /<pre tabindex="0"><code(?: class="language-([^"]*)")?>|<div class="table-scroll" tabindex="0">|<aside class="callout callout-([a-z]+)" role="note">|<div class="video" data-player="([^"]*)"><a href="([^"]*)">[^<]*<\/a>|<(h[2-6]) id="([^"]*)">|<\/(?:pre|h[2-6])>|<[^>"]*(?:"[^"]*"[^>"]*)*>/g;

/**
 * The HTML that was stored for the reader page (render.ts), with what surrounds an article's elements on it:
 *
 * - each heading stands in div.heading with a link to itself, which is named by it;
 * - each pre in div.code[data-code-frame], below div.code-head with the name of its language;
 * - code and tables that scroll are named regions; callouts begin with p.callout-name;
 * - a video's link says what it does and where it leads.
 *
 * One pass over the tags, since parsing costs a hundred times as much. It copies what it was given and adds constant
 * texts and values that were printed as an attribute's; so it is as safe as what it was given.
 */
export function htmlForReader(renderedHtml: string): string {
  let [codes, tables] = [0, 0];
  // What is open and was given a frame: the heading's id and where its text begins, the code.
  let [anchor, begun, inCode] = ["", 0, false];
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
      place?: number,
    ) => {
      if (heading) {
        [anchor, begun] = [id ?? "", (place ?? 0) + whole.length];
        return `<div class="heading heading-${heading}">${whole}`;
      }
      if (anchor && /^<\/h[2-6]>$/.test(whole)) {
        const name = renderedHtml.slice(begun, place).replace(anyTag, "").replaceAll('"', "&quot;");
        const link = `<a class="heading-link" href="#${anchor}" aria-label="Link to: ${name}">#</a></div>`;
        anchor = "";
        return whole + link;
      }
      if (whole.startsWith('<pre tabindex="0"><code')) {
        inCode = true;
        codes += 1;
        const name = language ? (languages.get(language) ?? language[0]?.toUpperCase() + language.slice(1)) : "Code";
        const label = language ? `Code ${codes}, ${name}` : `Code ${codes}`;
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
        return whole.replace(">", ` role="region" aria-label="Table ${tables}">`);
      }
      if (callout) return `${whole}<p class="callout-name">${callouts[callout as CalloutKind]}</p>`;
      if (video) {
        const place = player?.includes("vimeo") ? "Vimeo" : "YouTube";
        const address = video.replace(/^https:\/\/(?:www\.)?/, "");
        return (
          `<div class="video"><a href="${video}"><span class="video-name">Watch on ${place}</span> ` +
          `<span class="video-address">${asText(address)}</span></a>`
        );
      }
      return whole;
    },
  );
}

/** An attribute's printed value as a text's: there "<" stands for itself. */
function asText(value: string): string {
  return value.replace(/</g, "&lt;");
}
