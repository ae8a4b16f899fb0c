import { z } from "zod";
import { allows, type Scope } from "@/lib/api-keys/scopes";
import type { ArticleLink } from "@/lib/articles/article-parts";
import type { Article, ArticleListItem } from "@/lib/articles/articles";
import { tableOfContentsHtml } from "@/lib/content/headings";
import { excerpt } from "@/lib/content/text";
import { CategoryDetails, type CategoryShape } from "./category";
import type { Urls } from "./urls";
import { ArticleVisibility, type VisibilityOf } from "./visibility";

export const ArticleState = z.enum(["draft", "published"], { error: "state must be draft or published." }).meta({
  id: "ArticleState",
  description: "`draft`: never published, or unpublished. `published`: visible to readers.",
});

export const ArticleItem = z
  .object({
    id: z.guid().describe("The article's ID, which never changes."),
    slug: z.string().describe("The slug, unique in the workspace."),
    title: z.string().describe("The title, without markup."),
    state: ArticleState,
    visibility: ArticleVisibility,
    unique_views_count: z
      .int()
      .min(0)
      .describe("The number of views, counting each reader once a day. 0 unless the key has the `content.read` scope."),
    category: z
      .object({ id: z.guid().describe("The category's ID."), name: z.string().describe("The name.") })
      .describe("The category of the article."),
    created_at: z.iso.datetime().describe("When it was created."),
    updated_at: z.iso.datetime().describe("When it was last changed."),
    full_url: z.url().describe("The absolute URL of its page."),
    html_content: z
      .string()
      .optional()
      .describe("With `include=content`: the text as clean HTML, as `GET /articles/{article_id}` returns it."),
    content: z.string().optional().describe("With `include=content`: the same text without markup."),
  })
  .meta({ id: "ArticleListItem", description: "An article in a list." });

/** The parameter of lists that can bring texts. */
export const Include = z
  .enum(["content"], { error: "include must be content, or absent." })
  .optional()
  .meta({ description: "`content` adds the text of each article.", examples: ["content"] });

const link = {
  id: z.guid().describe("The article's ID."),
  title: z.string().describe("The title."),
  slug: z.string().describe("The slug."),
  url: z.string().describe("The path of its page."),
  full_url: z.url().describe("The absolute URL of its page."),
};

const RelatedArticle = z
  .object(link)
  .meta({ id: "RelatedArticle", description: "A published article that is related to another one." });

const Attachment = z
  .object({
    id: z.guid().describe("The file's ID."),
    filename: z.string().describe("The filename."),
    content_type: z.string().describe("The media type, such as `application/pdf`."),
    byte_size: z.int().min(0).describe("The size in bytes."),
    url: z.url().describe("The absolute URL."),
    created_at: z.iso.datetime().describe("When it was added."),
  })
  .meta({ id: "Attachment", description: "A file that belongs to an article." });

/** Empty when there is no neighbor (contract 41). */
const Neighbor = z.object(link).partial().meta({
  id: "NeighbouringArticle",
  description:
    "The published article before or after this one in its category, in reading order. All fields are absent if there is none.",
});

export const ArticleDetails = z
  .object({
    id: z.guid().describe("The article's ID, which never changes."),
    slug: z.string().describe("The slug, unique in the workspace."),
    title: z.string().describe("The title, without markup."),
    state: ArticleState,
    visibility: ArticleVisibility,
    created_at: z.iso.datetime().describe("When it was created."),
    updated_at: z.iso.datetime().describe("When it was last changed."),
    full_url: z.url().describe("The absolute URL of its page."),
    url: z.string().describe("The path of its page."),
    html_content: z
      .string()
      .describe(
        "The text as clean HTML, with absolute image URLs. For a published article, the text that readers see.",
      ),
    content: z.string().describe("The same text without markup."),
    author: z
      .object({
        name: z.string().describe("First and last name."),
        email: z.string().describe("The author's email. Empty unless the key has the `members.read` scope."),
        profile_image_url: z
          .url()
          .describe("The absolute URL of the picture. Members without a picture have a generated one."),
      })
      .meta({ id: "Author", description: "The author of the article." }),
    category: CategoryDetails.describe(
      "The category of the article. Its subcategories come without their own subcategories, which `GET /categories` returns.",
    ),
    tags: z
      .array(
        z
          .object({ id: z.guid().describe("The tag's ID."), name: z.string().describe("The name.") })
          .meta({ id: "Tag", description: "A word that groups articles across categories." }),
      )
      .describe("The tags, sorted by name."),
    attachments: z.array(Attachment).describe("The files."),
    related_articles: z
      .array(RelatedArticle)
      .describe(
        "Up to 10 published articles chosen for this one. If none were chosen, up to 5 that share its tags or category.",
      ),
    keywords: z
      .array(z.string())
      .describe("Additional search terms for the article. Empty unless the key has the `content.read` scope."),
    next_article: Neighbor.describe(
      "The next published article in its category, in reading order. All fields are absent if there is none.",
    ),
    prev_article: Neighbor.describe(
      "The previous published article in its category, in reading order. All fields are absent if there is none.",
    ),
    table_of_contents: z.string().describe("An HTML list of links to the headings. Empty if there are none."),
    show_table_of_contents: z.boolean().describe("Whether its page shows the table of contents."),
  })
  .meta({ id: "Article", description: "An article with its text." });

export const ArticleMeta = z
  .object({
    url: z.url().describe("The absolute URL of the article's page."),
    page_title: z.string().describe("The title of the page in browsers and search engines."),
    keywords: z.string().describe("The keywords, separated by a comma and a space."),
    meta_description: z
      .string()
      .describe("The description for search engines, or the beginning of the text if there is none."),
  })
  .meta({ id: "ArticleMeta", description: "The metadata of the article's page for search engines." });

export function articleItemShape(
  article: ArticleListItem,
  urls: Urls,
  visibilityOf: VisibilityOf,
): z.input<typeof ArticleItem> {
  return {
    id: article.id,
    slug: article.slug,
    title: article.title,
    state: article.state,
    visibility: visibilityOf(article.category.id),
    unique_views_count: article.uniqueViewsCount,
    category: { id: article.category.id, name: article.category.name },
    created_at: article.createdAt.toISOString(),
    updated_at: article.updatedAt.toISOString(),
    full_url: urls.article(article.slug),
    ...(article.html !== undefined && { html_content: urls.absoluteImages(article.html), content: article.text }),
  };
}

function linkShape({ id, title, slug }: ArticleLink, urls: Urls): z.input<typeof RelatedArticle> {
  return { id, title, slug, url: `/articles/${slug}`, full_url: urls.article(slug) };
}

/** @param key the key that asks. Only members.read shows the author's email */
export function articleShape(
  article: Article,
  category: CategoryShape,
  urls: Urls,
  key: { scopes: readonly Scope[] },
): z.input<typeof ArticleDetails> {
  const { author } = article;
  return {
    id: article.id,
    slug: article.slug,
    title: article.title,
    state: article.state,
    visibility: category.visibility,
    created_at: article.createdAt.toISOString(),
    updated_at: article.updatedAt.toISOString(),
    full_url: urls.article(article.slug),
    url: `/articles/${article.slug}`,
    html_content: urls.absoluteImages(article.html),
    content: article.text,
    author: {
      name: `${author.firstName} ${author.lastName}`,
      email: allows(key.scopes, "members.read") ? author.email : "",
      profile_image_url: author.pictureUploadId ? urls.upload(author.pictureUploadId) : urls.avatar(author.id),
    },
    category,
    tags: article.tags.map(({ id, name }) => ({ id, name })),
    attachments: article.attachments.map((attachment) => ({
      id: attachment.id,
      filename: attachment.filename,
      content_type: attachment.contentType,
      byte_size: attachment.byteSize,
      url: urls.upload(attachment.id),
      created_at: new Date(attachment.createdAt).toISOString(),
    })),
    related_articles: article.related.map((related) => linkShape(related, urls)),
    keywords: article.keywords,
    next_article: article.next ? linkShape(article.next, urls) : {},
    prev_article: article.previous ? linkShape(article.previous, urls) : {},
    table_of_contents: tableOfContentsHtml(article.headings),
    show_table_of_contents: article.showTableOfContents,
  };
}

export function articleMetaShape(article: Article, urls: Urls): z.input<typeof ArticleMeta> {
  return {
    url: urls.article(article.slug),
    page_title: article.pageTitle ?? article.title,
    keywords: article.keywords.join(", "),
    meta_description: article.metaDescription ?? excerpt(article.text, 160),
  };
}
