import { z } from "zod";

/** The values that a field of each kind holds. An optional text is null when it is empty. */
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
    /** The value in an article that nobody has written yet, and in a file that does not name the field. */
    empty: Values[Kind];
    /** The most characters of the value, or of each item of a list. */
    limit?: number;
    /** The most items of a list. */
    items?: number;
    /** The name in a file's front matter; the body of the file is no part of it. */
    inFile?: string;
    /** Whether a file may break the text into lines. */
    hasLines?: true;
  };
}[keyof Values];

/**
 * The text of an article: the columns that `article_live`, `article_drafts` and `article_versions` share. SQL, comparisons,
 * validation, export and import are made of this table, so a new column is added to the database and here.
 */
export const textFields = {
  title: { kind: "text", column: "title", label: "Title", empty: "", limit: 300, inFile: "title" },
  html: { kind: "text", column: "html", label: "Text", empty: "", limit: 2_000_000 },
  keywords: {
    ...{ kind: "list", column: "keywords", label: "Keywords", empty: [], limit: 200, items: 100 },
    inFile: "keywords",
  },
  pageTitle: {
    ...{ kind: "optional", column: "page_title", label: "Title for search engines", empty: null, limit: 300 },
    inFile: "page_title",
  },
  metaDescription: {
    ...{ kind: "optional", column: "meta_description", label: "Description for search engines", empty: null },
    ...{ limit: 5_000, inFile: "description", hasLines: true },
  },
  showTableOfContents: {
    ...{ kind: "flag", column: "show_table_of_contents", label: "Table of contents", empty: true },
    inFile: "show_table_of_contents",
  },
} as const satisfies Record<string, Field>;

export type TextField = keyof typeof textFields;
export type ArticleText = { [Name in TextField]: Values[(typeof textFields)[Name]["kind"]] };

/** A text with the parts that wait for publishing with it. */
export interface DraftText extends ArticleText {
  /** Names, in order. */
  tags: string[];
  /** Ids of articles, in order. */
  relatedIds: string[];
  /** Ids of uploads, in order. */
  attachmentIds: string[];
}

/** The fields as a list, for what treats them by their kind. */
export const textFieldList = Object.entries(textFields) as [TextField, Field][];

/** An object with a value for each field. */
export function eachField(value: (name: TextField, field: Field) => unknown): ArticleText {
  return Object.fromEntries(textFieldList.map(([name, field]) => [name, value(name, field)])) as unknown as ArticleText;
}

/** The text of an article that nobody has written yet. */
export const emptyText = eachField((_, { empty }) => empty);
export const emptyDraft: DraftText = { ...emptyText, tags: [], relatedIds: [], attachmentIds: [] };

/** The fields of a text, without whatever else an object has. */
export const textOf = (text: ArticleText): ArticleText => eachField((name) => text[name]);

const shape = Object.fromEntries(textFieldList.map(([name, { kind }]) => [name, kinds[kind].schema])) as {
  [Name in TextField]: z.ZodType<ArticleText[Name]>;
};

/** A draft as browsers send it. Its limits are checked when it is prepared (lib/articles/prepare-draft.ts). */
export const DraftInput = z.object({
  ...shape,
  tags: z.array(z.string()),
  relatedIds: z.array(z.guid()),
  attachmentIds: z.array(z.guid()),
});

const mapped = (sql: (field: Field, name: TextField) => string, separator = ", ") =>
  textFieldList.map(([name, field]) => sql(field, name)).join(separator);

/** SQL of the columns, of a table's alias where one is given. */
export const textColumns = (alias?: string): string => mapped(({ column }) => (alias ? `${alias}.${column}` : column));
/** SQL of the columns under their fields' names. */
export const selectText = (alias: string, names: readonly TextField[] = textFieldList.map(([name]) => name)): string =>
  names.map((name) => `${alias}.${textFields[name].column} AS "${name}"`).join(", ");
/** SQL of the text as a JSON object, with more names and values where they are given. */
export const textAsJson = (alias: string, more = ""): string =>
  `json_build_object(${mapped(({ column }, name) => `'${name}', ${alias}.${column}`)}${more})`;
/** SQL of whether two texts differ. */
export const textDiffers = (one: string, other: string): string =>
  `(${textColumns(one)}) IS DISTINCT FROM (${textColumns(other)})`;
/** SQL of an upsert's changes. */
export const updateText = mapped(({ column }) => `${column} = excluded.${column}`);
/** SQL of the columns and their types, for a set of JSON objects that `textRow` made. */
export const textRecord = mapped(({ column, kind }) => `${column} ${kinds[kind].sql}`);

/** A text as a row: the values by their columns. */
export function textRow(text: ArticleText): Record<string, unknown> {
  return Object.fromEntries(textFieldList.map(([name, { column }]) => [column, text[name]]));
}
