import { z } from "zod";
import type { Article, ArticleLink, ArticleListItem } from "@/lib/articles";
import { tableOfContentsHtml } from "@/lib/content/headings";
import { excerpt } from "@/lib/content/text";
import type { Addresses } from "./addresses";
import { CategoryDetails, type CategoryShape } from "./category";

export const ArticleState = z.enum(["draft", "published"], { error: "state must be draft or published." });

export const ArticleItem = z.object({
  id: z.guid(),
  slug: z.string(),
  title: z.string(),
  state: ArticleState,
  unique_views_count: z.int(),
  category: z.object({ id: z.guid(), name: z.string() }),
});

const RelatedArticle = z.object({
  id: z.guid(),
  title: z.string(),
  slug: z.string(),
  url: z.string().describe("The path."),
  full_url: z.url(),
});

const Attachment = z.object({
  id: z.guid(),
  filename: z.string(),
  content_type: z.string(),
  byte_size: z.int(),
  url: z.url(),
  created_at: z.iso.datetime(),
});

/** All of a neighbour, or `{}` when there is none (contract 41). */
const Neighbour = RelatedArticle.partial();

export const ArticleDetails = z.object({
  id: z.guid(),
  slug: z.string(),
  title: z.string(),
  state: ArticleState,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  full_url: z.url(),
  url: z.string().describe("The path."),
  html_content: z.string(),
  content: z.string().describe("The text without markup."),
  author: z.object({ name: z.string(), email: z.string(), profile_image_url: z.url() }),
  category: CategoryDetails,
  tags: z.array(z.object({ id: z.guid(), name: z.string() })),
  attachments: z.array(Attachment),
  related_articles: z.array(RelatedArticle),
  keywords: z.array(z.string()),
  next_article: Neighbour,
  prev_article: Neighbour,
  table_of_contents: z.string().describe("An HTML list of links to the headings; empty when there are none."),
  show_table_of_contents: z.boolean(),
});

export const ArticleMeta = z.object({
  url: z.url(),
  page_title: z.string(),
  keywords: z.string().describe("The keywords, joined by a comma and a blank."),
  meta_description: z.string(),
});

export function articleItemShape(article: ArticleListItem): z.input<typeof ArticleItem> {
  return {
    id: article.id,
    slug: article.slug,
    title: article.title,
    state: article.state,
    unique_views_count: article.uniqueViewsCount,
    category: { id: article.category.id, name: article.category.name },
  };
}

function linkShape({ id, title, slug }: ArticleLink, addresses: Addresses): z.input<typeof RelatedArticle> {
  return { id, title, slug, url: `/articles/${slug}`, full_url: addresses.article(slug) };
}

export function articleShape(
  article: Article,
  category: CategoryShape,
  addresses: Addresses,
): z.input<typeof ArticleDetails> {
  const { author } = article;
  return {
    id: article.id,
    slug: article.slug,
    title: article.title,
    state: article.state,
    created_at: article.createdAt.toISOString(),
    updated_at: article.updatedAt.toISOString(),
    full_url: addresses.article(article.slug),
    url: `/articles/${article.slug}`,
    html_content: addresses.absoluteImages(article.html),
    content: article.text,
    author: {
      name: `${author.firstName} ${author.lastName}`,
      email: author.email,
      profile_image_url: author.pictureUploadId
        ? addresses.upload(author.pictureUploadId)
        : addresses.avatar(author.id),
    },
    category,
    tags: article.tags.map(({ id, name }) => ({ id, name })),
    attachments: article.attachments.map((attachment) => ({
      id: attachment.id,
      filename: attachment.filename,
      content_type: attachment.contentType,
      byte_size: attachment.byteSize,
      url: addresses.upload(attachment.id),
      created_at: new Date(attachment.createdAt).toISOString(),
    })),
    related_articles: article.related.map((related) => linkShape(related, addresses)),
    keywords: article.keywords,
    next_article: article.next ? linkShape(article.next, addresses) : {},
    prev_article: article.previous ? linkShape(article.previous, addresses) : {},
    table_of_contents: tableOfContentsHtml(article.headings),
    show_table_of_contents: article.showTableOfContents,
  };
}

export function articleMetaShape(article: Article, addresses: Addresses): z.input<typeof ArticleMeta> {
  return {
    url: addresses.article(article.slug),
    page_title: article.pageTitle ?? article.title,
    keywords: article.keywords.join(", "),
    meta_description: article.metaDescription ?? excerpt(article.text, 160),
  };
}
