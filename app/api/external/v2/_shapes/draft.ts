import { z } from "zod";
import type { OpenDraft } from "@/lib/articles/open-draft";
import type { Version, VersionText } from "@/lib/articles/versions";
import type { Urls } from "./urls";

const Text = {
  title: z.string().describe("The title, without markup."),
  html_content: z.string().describe("The text as clean HTML, with absolute image URLs."),
  keywords: z.array(z.string()).describe("Additional search terms."),
  tags: z.array(z.string()).describe("The names of the article's tags."),
  page_title: z.string().nullable().describe("The title in browsers and search engines, or null."),
  meta_description: z.string().nullable().describe("The description for search engines, or null."),
  show_table_of_contents: z.boolean().describe("Whether the page shows a table of contents."),
};

export const DraftAnswer = z
  .object({
    draft: z
      .object({
        ...Text,
        related_article_ids: z.array(z.guid()).describe("The IDs of related articles, in order."),
        changed_at: z.iso
          .datetime()
          .describe("When the draft was last saved. Without a draft, when the live text was published."),
        changed_by: z
          .string()
          .nullable()
          .describe(
            "The team member or API key that saved the draft or published the live text. Null after an import.",
          ),
      })
      .meta({ id: "Draft", description: "The text of the draft, or the live text if there is no draft." }),
    revision: z
      .int()
      .min(1)
      .describe("The revision of the text. Send it with a change so that you don't overwrite newer text."),
    has_draft: z.boolean().describe("True if this text is a draft. False if it is the live text."),
    publish_at: z.iso.datetime().nullable().describe("When the draft is scheduled to go live, or null."),
    on_hold: z
      .boolean()
      .describe(
        "Whether the schedule is on hold, for example because someone without publishing rights edited the draft.",
      ),
  })
  .meta({ id: "DraftAnswer", description: "The draft of an article." });

export function draftAnswer(article: OpenDraft, urls: Urls): z.input<typeof DraftAnswer> {
  const { text, savedAt, savedBy } = article;
  return {
    draft: {
      ...textShape(text, urls),
      related_article_ids: text.relatedIds,
      changed_at: savedAt.toISOString(),
      changed_by: savedBy?.name ?? null,
    },
    revision: article.revision,
    has_draft: article.hasDraft,
    publish_at: article.publishAt?.toISOString() ?? null,
    on_hold: article.publishHeld,
  };
}

export const VersionItem = z
  .object({
    number: z.int().min(1).describe("The version number. Higher numbers are newer."),
    kind: z
      .enum(["publish", "autosave", "import"])
      .describe("`publish`: the text went live. `autosave`: a draft. `import`: the text came from a file."),
    title: z.string().describe("The title at that time."),
    created_at: z.iso.datetime().describe("When the version was stored."),
    created_by: z
      .string()
      .nullable()
      .describe("The team member or API key that wrote the version. Null for an import."),
    created_via: z.enum(["web", "api", "import", "schedule"]).describe("How the version was written."),
    note: z.string().nullable().describe("The release note, or null."),
  })
  .meta({ id: "Version", description: "A version of an article, without its text." });

export const VersionDetails = z
  .object({ ...VersionItem.shape, ...Text })
  .meta({ id: "VersionDetails", description: "A version of an article with its text." });

export function versionShape(version: Version): z.input<typeof VersionItem> {
  const { number, kind, title, at, by, via, summary } = version;
  return { number, kind, title, created_at: at.toISOString(), created_by: by, created_via: via, note: summary };
}

export function versionDetails(version: VersionText, urls: Urls): z.input<typeof VersionDetails> {
  return { ...versionShape(version), ...textShape(version.text, urls) };
}

function textShape(text: VersionText["text"], urls: Urls) {
  return {
    title: text.title,
    html_content: urls.absoluteImages(text.html),
    keywords: text.keywords,
    tags: text.tags,
    page_title: text.pageTitle,
    meta_description: text.metaDescription,
    show_table_of_contents: text.showTableOfContents,
  };
}
