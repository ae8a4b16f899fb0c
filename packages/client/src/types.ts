// Made from docs/openapi/v2.json by `npm run openapi`, which is how to change it.

/** `draft`: not published yet, or not any more. `published`: readers see it. */
export type ArticleState = "draft" | "published";

/** What to change of a member. Other fields are ignored. */
export interface TeamMemberChanges {
  /** The e-mail address, at most 254 characters, and not another member's. */
  email?: string | undefined;
  /** The first name, at most 100 characters. */
  first_name?: string | undefined;
  /** The last name, at most 100 characters. */
  last_name?: string | undefined;
  /** An IANA time zone, not an offset. */
  time_zone?: string | undefined;
  /** The exact name of one of the workspace's roles; case matters. */
  organization_role?: string | undefined;
  /** Whether the member may sign in. */
  active?: boolean | undefined;
}

/** One page of categories. */
export interface CategoryList {
  /** The categories of this page. */
  categories: Category[];
  pagination: Pagination;
}

/** A category of articles, in a tree of at most 6 levels. */
export interface Category {
  /** The category's id, which never changes. */
  id: string;
  /** Its name. */
  name: string;
  /** What it is about, as plain text; null when nobody has said so. */
  description: string | null;
  /** The last part of its address, unique in the workspace. */
  slug: string;
  /** Its place among its siblings: lower ones first, null last, then by name. */
  sequence: number | null;
  /** The category above it; null at the top. */
  parent_id: string | null;
  /** How many categories are above it: 0 at the top. */
  depth: number | null;
  /** Published articles of this category alone. */
  articles_count: number;
  /** Direct subcategories. */
  categories_count: number;
  /** Published articles of this category and all below it. */
  total_articles_count: number;
  /** The absolute address of its page. */
  url: string;
  /** The categories above it, from the top down. */
  ancestors: CategoryAncestor[];
  /** The ids of its direct subcategories, in order. */
  children: string[];
  /** Its direct subcategories, in order. Absent where the answer does not nest so far. */
  subcategories?: Category[];
  /** Its first 100 published articles, in reading order. Absent in a summary. */
  articles?: CategoryArticle[];
}

/** A category above another one. */
export interface CategoryAncestor {
  /** The category's id. */
  id: string;
  /** Its name. */
  name: string;
  /** The absolute address of its page. */
  url: string;
}

/** A published article as its category shows it. */
export interface CategoryArticle {
  /** The article's id. */
  id: string;
  /** The absolute address of its page. */
  url: string;
  /** The title. */
  title: string;
  /** When it was made. */
  created_at: string;
  /** The first 300 characters of the text, in whole words. */
  content: string;
}

/** Where an answer is in its list. Go on while `current_page_number` is below `total_pages`. */
export interface Pagination {
  /** Items on all pages together. */
  total_records: number;
  /** Pages there are: 0 when the list is empty. */
  total_pages: number;
  /** The page that was asked for, also one past the end. */
  current_page_number: number;
  /** The most items on a page. */
  page_size: number;
}

/** One parameter or field that cannot be used. */
export interface InvalidField {
  /** The parameter of the query, or the field of the body. */
  field: string;
  /** What kind of failure it is, for programs. */
  code: "required" | "invalid" | "taken" | "too_long" | "not_found" | "not_allowed";
  /** What is wrong with it, for people. */
  message: string;
}

/** One page of articles. */
export interface ArticleList {
  /** The articles of this page. */
  articles: ArticleListItem[];
  pagination: Pagination;
}

/** An article as lists show it: without its text. */
export interface ArticleListItem {
  /** The article's id, which never changes. */
  id: string;
  /** The last part of its address, unique in the workspace. */
  slug: string;
  /** The title, without markup. */
  title: string;
  state: ArticleState;
  /** How often readers have opened it, each of them counted once a day. */
  unique_views_count: number;
  /** The category it is in. */
  category: {
    /** The category's id. */
    id: string;
    /** Its name. */
    name: string;
  };
}

/** One article. */
export interface ArticleAnswer {
  article: Article;
  meta: ArticleMeta;
}

/** An article with its text. */
export interface Article {
  /** The article's id, which never changes. */
  id: string;
  /** The last part of its address, unique in the workspace. */
  slug: string;
  /** The title, without markup. */
  title: string;
  state: ArticleState;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** The absolute address of its page. */
  full_url: string;
  /** The path of its page. */
  url: string;
  /** The text as clean HTML, its images at absolute addresses. Of a published article, what readers see. */
  html_content: string;
  /** The same text without markup. */
  content: string;
  author: Author;
  /** The category it is in. Its subcategories come without theirs: `GET /categories` has them. */
  category: Category;
  /** Its tags, by name. */
  tags: Tag[];
  /** Its files. */
  attachments: Attachment[];
  /** Up to 10 published articles that were chosen; where none was, up to 5 that share its tags or category. */
  related_articles: RelatedArticle[];
  /** Words it is also to be found by. */
  keywords: string[];
  next_article: NeighbouringArticle;
  prev_article: NeighbouringArticle;
  /** An HTML list of links to the headings; empty when there are none. */
  table_of_contents: string;
  /** Whether its page shows the table of contents. */
  show_table_of_contents: boolean;
}

/** The member who wrote the article. */
export interface Author {
  /** First and last name. */
  name: string;
  /** The e-mail address. */
  email: string;
  /** The picture's absolute address: a drawn one where there is no other. */
  profile_image_url: string;
}

/** A word that groups articles across categories. */
export interface Tag {
  /** The tag's id. */
  id: string;
  /** Its name. */
  name: string;
}

/** A file that belongs to an article. */
export interface Attachment {
  /** The file's id. */
  id: string;
  /** The name it is saved under. */
  filename: string;
  /** Its media type, such as `application/pdf`. */
  content_type: string;
  /** Its size in bytes. */
  byte_size: number;
  /** Its absolute address. */
  url: string;
  /** When it was added. */
  created_at: string;
}

/** A published article that another one points to. */
export interface RelatedArticle {
  /** The article's id. */
  id: string;
  /** The title. */
  title: string;
  /** The last part of its address. */
  slug: string;
  /** The path of its page. */
  url: string;
  /** The absolute address of its page. */
  full_url: string;
}

/**
 * The published article before or after this one in its category, in reading order: all fields, or none of them when
 * there is none.
 */
export interface NeighbouringArticle {
  /** The article's id. */
  id?: string;
  /** The title. */
  title?: string;
  /** The last part of its address. */
  slug?: string;
  /** The path of its page. */
  url?: string;
  /** The absolute address of its page. */
  full_url?: string;
}

/** What the article's page says of itself to search engines. */
export interface ArticleMeta {
  /** The absolute address of the article's page. */
  url: string;
  /** The title of the page in browsers and search engines. */
  page_title: string;
  /** The keywords, joined by a comma and a blank. */
  keywords: string;
  /** What search engines show: the author's, or the beginning of the text. */
  meta_description: string;
}

/** One page of matches. */
export interface SearchResults {
  /** The matches of this page. */
  matches: SearchMatch[];
  /**
   * The text in the spelling that was searched as well: `reset password` for `reset pasword`. Words that were not
   * corrected stand as they were asked. Null when nothing was corrected.
   */
  corrected_term: string | null;
  pagination: Pagination;
}

/** A published article that a search has found. */
export interface SearchMatch {
  /** The article's id. */
  id: string;
  /** The absolute URL of its page, with the anchor of the section where `matched_heading` is not null. */
  url: string;
  /** Its title, without markup. */
  title: string;
  /** The name of its category. */
  category: string;
  /** The absolute address of its category's page. */
  category_url: string;
  /** The title as escaped HTML, each matching word in `<span class="article-matched-tag">`; null when none matched. */
  matched_title: string | null;
  /**
   * The heading of the section to read, as escaped HTML, each matching word in `<span class="article-matched-tag">`;
   * null when no section has more of the words than the title.
   */
  matched_heading: string | null;
  /**
   * A passage of at most 300 characters, in whole sentences where they fit, as escaped HTML, each matching word in
   * `<span class="article-matched-tag">`; null when none matched.
   */
  matched_content: string | null;
  /**
   * The name of the category as escaped HTML, each matching word in `<span class="article-matched-tag">`; null when
   * none matched.
   */
  matched_category: string | null;
}

/** One page of team members. */
export interface TeamMemberList {
  /** The members of this page. */
  team_members: TeamMember[];
  pagination: Pagination;
}

/** Somebody who works on the knowledge base. */
export interface TeamMember {
  /** The member's id, which never changes. */
  id: string;
  /** The e-mail address, unique in the workspace whatever its case. */
  email: string;
  /** The first name. */
  first_name: string;
  /** The last name. */
  last_name: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  time_zone: string;
  /** The picture's absolute address; null without one. */
  profile_image_url: string | null;
  /** Whether the member may sign in. Deactivated members stay in the list. */
  active: boolean;
  /** The exact name of one of the workspace's roles; case matters. */
  organization_role: string;
}

/** One team member. */
export interface TeamMemberAnswer {
  team_member: TeamMember;
}

/** The settings of the knowledge base. */
export interface Setting {
  /** The name that readers see. */
  knowledge_base_name: string;
  /** The absolute address of the knowledge base. */
  url: string;
}

/** Who asks, and where. */
export interface Me {
  workspace: Workspace;
  api_key: ApiKey;
}

/** The workspace that the address and the key belong to. */
export interface Workspace {
  /** The workspace's id. */
  id: string;
  /** Its name. */
  name: string;
  /** Its name in the address. */
  subdomain: string;
  /** Its absolute address. */
  url: string;
}

/** The key that this request was sent with. */
export interface ApiKey {
  /** The key's id. */
  id: string;
  /** What it was called when it was made. */
  name: string;
  /** The last four characters of its text, to tell keys apart. */
  last_four: string;
  /** `read`: it may only read. `read_write`: it may change too. */
  permission: "read" | "read_write";
  /** When it was made. */
  created_at: string;
  /** When it stops working; null when it does not by itself. */
  expires_at: string | null;
  /** When it was last used, noted every few minutes; null when that was never. */
  last_used_at: string | null;
}

export interface ListCategoriesQuery {
  /** The page, from 1. One past the end is answered with an empty list and true totals. Default: 1. */
  page_number?: number | undefined;
  /** Items on a page, 1 to 100. More is answered with 100, as `pagination.page_size` says. Default: 30. */
  page_size?: number | undefined;
  /**
   * `roots`: the categories at the top, each with its whole subtree. `all`: every category, without nesting. Default:
   * "roots".
   */
  scope?: "roots" | "all" | undefined;
}

export interface ListArticlesQuery {
  /** The page, from 1. One past the end is answered with an empty list and true totals. Default: 1. */
  page_number?: number | undefined;
  /** Items on a page, 1 to 100. More is answered with 100, as `pagination.page_size` says. Default: 30. */
  page_size?: number | undefined;
  /** Only articles of this category, not of those below it. An unknown one gives an empty list. */
  category_id?: string | undefined;
  /** Only articles in this state; both states when left out. */
  state?: ArticleState | undefined;
  /**
   * Only articles whose title or text has words that begin with each of these. The order stays, and nothing is
   * corrected.
   */
  search_term?: string | undefined;
  /** What to sort by; `created_at` when left out. */
  sort_by?: "created_at" | "updated_at" | "title" | "unique_views_count" | undefined;
  /** The direction, in any case: `ASC` for `title` and `DESC` for the others when left out. */
  order_by?: "ASC" | "DESC" | undefined;
}

export interface GetArticleQuery {
  /**
   * `full`: the category comes with its articles and direct subcategories. `summary`: without both, for clients that
   * fetch many articles. Default: "full".
   */
  category?: "full" | "summary" | undefined;
}

export interface SearchArticlesQuery {
  /** The page, from 1. One past the end is answered with an empty list and true totals. Default: 1. */
  page_number?: number | undefined;
  /** Items on a page, 1 to 100. More is answered with 100, as `pagination.page_size` says. Default: 30. */
  page_size?: number | undefined;
  /** The words to find, at most 200 characters. `query` and `q` are other names for it, read when it is absent. */
  search_term: string;
}

export interface ListTeamMembersQuery {
  /** The page, from 1. One past the end is answered with an empty list and true totals. Default: 1. */
  page_number?: number | undefined;
  /** Items on a page, 1 to 100. More is answered with 100, as `pagination.page_size` says. Default: 30. */
  page_size?: number | undefined;
  /** Only the member with exactly this e-mail address, whatever its case. */
  email?: string | undefined;
}
