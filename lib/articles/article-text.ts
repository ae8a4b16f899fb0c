import { z } from "zod";

interface Values {
  text: string;
  optional: string | null;
  list: string[];
  flag: boolean;
}

const kinds: { [Kind in keyof Values]: { schema: z.ZodType<Values[Kind]>; sql: string } } = {
  text: { schema: z.string(), sql: "text" },
  optional: { schema: z.string().nullable(), sql: "text" },
  list: { schema: z.array(z.string()), sql: "text[]" },
  flag: { schema: z.boolean(), sql: "boolean" },
};

type Field = {
  [Kind in keyof Values]: {
    kind: Kind;
    column: string;
    label: string;
    /** The value in a new article, and in a file that does not name the field. */
    empty: Values[Kind];
    /** Characters of the value, or of each item of a list. */
    limit?: number;
    items?: number;
    /** The name in a file's front matter. The file's body is the HTML. */
    inFile?: string;
    /** Whether the text may have several lines in a file. */
    hasLines?: true;
  };
}[keyof Values];

/**
 * `article_live`, `article_drafts` and `article_versions` share these columns. SQL, comparisons, validation, export and import
 * are made from this table, so a new column is added to the database and here.
 */
export const textFields = {
  title: { kind: "text", column: "title", label: "Title", empty: "", limit: 300, inFile: "title" },
  html: { kind: "text", column: "html", label: "Text", empty: "", limit: 2_000_000 },
  keywords: {
    kind: "list",
    column: "keywords",
    label: "Keywords",
    empty: [],
    limit: 200,
    items: 100,
    inFile: "keywords",
  },
  pageTitle: {
    kind: "optional",
    column: "page_title",
    label: "SEO title",
    empty: null,
    limit: 300,
    inFile: "page_title",
  },
  metaDescription: {
    kind: "optional",
    column: "meta_description",
    label: "Meta description",
    empty: null,
    limit: 5_000,
    inFile: "description",
    hasLines: true,
  },
  showTableOfContents: {
    kind: "flag",
    column: "show_table_of_contents",
    label: "Table of contents",
    empty: true,
    inFile: "show_table_of_contents",
  },
} as const satisfies Record<string, Field>;

export type TextField = keyof typeof textFields;
export type ArticleText = { [Name in TextField]: Values[(typeof textFields)[Name]["kind"]] };

/** A text with the parts that are published with it. */
export interface DraftText extends ArticleText {
  tags: string[];
  relatedIds: string[];
  attachmentIds: string[];
}

export const textFieldList = Object.entries(textFields) as [TextField, Field][];

export function eachField(value: (name: TextField, field: Field) => unknown): ArticleText {
  return Object.fromEntries(textFieldList.map(([name, field]) => [name, value(name, field)])) as unknown as ArticleText;
}

export const emptyText = eachField((_, { empty }) => empty);
export const emptyDraft: DraftText = { ...emptyText, tags: [], relatedIds: [], attachmentIds: [] };

/** Drops other properties. */
export const textOf = (text: ArticleText): ArticleText => eachField((name) => text[name]);

const shape = Object.fromEntries(textFieldList.map(([name, { kind }]) => [name, kinds[kind].schema])) as {
  [Name in TextField]: z.ZodType<ArticleText[Name]>;
};

/** A draft as browsers send it. `preparedDraft` checks its limits. */
export const DraftInput = z.object({
  ...shape,
  tags: z.array(z.string()),
  relatedIds: z.array(z.guid()),
  attachmentIds: z.array(z.guid()),
});

const mapped = (sql: (field: Field, name: TextField) => string, separator = ", ") =>
  textFieldList.map(([name, field]) => sql(field, name)).join(separator);

export const textColumns = (alias?: string): string => mapped(({ column }) => (alias ? `${alias}.${column}` : column));
export const selectText = (alias: string, names: readonly TextField[] = textFieldList.map(([name]) => name)): string =>
  names.map((name) => `${alias}.${textFields[name].column} AS "${name}"`).join(", ");
/** @param more SQL of further names and values, with a leading comma */
export const textAsJson = (alias: string, more = ""): string =>
  `json_build_object(${mapped(({ column }, name) => `'${name}', ${alias}.${column}`)}${more})`;
export const textDiffers = (one: string, other: string): string =>
  `(${textColumns(one)}) IS DISTINCT FROM (${textColumns(other)})`;
export const updateText = mapped(({ column }) => `${column} = excluded.${column}`);
/** SQL of the columns and their types, to read what `textRow` returns from JSON. */
export const textRecord = mapped(({ column, kind }) => `${column} ${kinds[kind].sql}`);

export function textRow(text: ArticleText): Record<string, unknown> {
  return Object.fromEntries(textFieldList.map(([name, { column }]) => [column, text[name]]));
}
