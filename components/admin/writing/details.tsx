"use client";

import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from "react";
import { useBeginning } from "@/components/admin/editor/beginning";
import { CodeLine } from "@/components/ui/code-line";
import { Combobox } from "@/components/ui/combobox";
import { Field, Labelled, TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import { Tokens } from "@/components/ui/tokens";
import type { DraftText } from "@/lib/articles/article-text";
import { type DeskArticle, type DeskChoices, withAuthor } from "./desk-article";
import { AttachmentList, RelatedList } from "./lists";
import type { useAutosave } from "./use-autosave";
import type { usePlace } from "./use-place";

/** The properties of the article. Each saves itself. @param home the URL of the site */
export function Details({
  article,
  home,
  choices,
  desk,
  place,
}: {
  article: DeskArticle;
  home: string;
  choices: DeskChoices;
  desk: ReturnType<typeof useAutosave>;
  place: ReturnType<typeof usePlace>;
}) {
  const { text, met, change } = desk;
  return (
    <div className="grid gap-6 text-sm">
      <section aria-label="Details" className="grid gap-4">
        <PlaceFields article={article} home={home} choices={choices} place={place} />
        <Tokens
          label="Tags"
          values={text.tags}
          suggestions={choices.tags}
          maxLength={100}
          onChange={(tags) => change({ tags })}
        />
        <Tokens
          label="Keywords"
          hint="Extra search terms. Press Enter after each one."
          values={text.keywords}
          maxLength={200}
          onChange={(keywords) => change({ keywords })}
        />
        <ContentsField
          isShown={text.showTableOfContents}
          onChange={(shown) => change({ showTableOfContents: shown })}
        />
      </section>
      <Part title="Search engines" isOpen={Boolean(text.pageTitle ?? text.metaDescription)}>
        <SearchEngines
          key={`seo ${desk.generation}`}
          text={text}
          address={`${home}/articles/${desk.known.slug}`}
          onChange={change}
        />
      </Part>
      <Part
        title="Related articles and attachments"
        isOpen={text.relatedIds.length > 0 || text.attachmentIds.length > 0}
      >
        <RelatedList
          articleId={article.id}
          known={met.related}
          ids={text.relatedIds}
          onChange={(relatedIds) => change({ relatedIds })}
        />
        <AttachmentList
          known={met.attachments}
          ids={text.attachmentIds}
          onChange={(attachmentIds) => change({ attachmentIds })}
        />
      </Part>
      <Part title="Permanent link">
        <CodeLine>{`${home}/articles/${article.permalink}`}</CodeLine>
        <p className="text-text-muted">This link works even if the URL changes.</p>
      </Part>
    </div>
  );
}

/** A part of the drawer that folds. @param isOpen at first */
function Part({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <div className="border-t border-border pt-2">
      <Fold summary={<span className="font-medium">{title}</span>} isOpen={isOpen}>
        <div className="grid gap-4 pt-2 pb-2">{children}</div>
      </Fold>
    </div>
  );
}

/** Category, author and slug, which apply immediately. */
function PlaceFields({
  article,
  home,
  choices,
  place: { place, errors, type, save },
}: {
  article: DeskArticle;
  home: string;
  choices: DeskChoices;
  place: ReturnType<typeof usePlace>;
}) {
  const isLive = article.state === "published";
  if (!article.mayChange) {
    return (
      <p>
        In {article.category.name}, by {article.author.name}.{" "}
        <span className="text-text-muted">Your role can't change a published article's category, author, or URL.</span>
      </p>
    );
  }
  const saveSlug = () => save("slug", place.slug);
  return (
    <>
      {isLive && <p className="text-text-muted">Changes to the category, author, and URL go live immediately.</p>}
      <Labelled label="Category" error={errors.categoryId}>
        {(aria) => (
          <Combobox
            {...aria}
            value={place.categoryId}
            options={choices.categories}
            onChange={(category) => save("categoryId", category)}
          />
        )}
      </Labelled>
      <Labelled label="Author" error={errors.authorId}>
        {(aria) => (
          <Combobox
            {...aria}
            value={place.authorId}
            options={withAuthor(choices.authors, article.author)}
            onChange={(author) => save("authorId", author)}
          />
        )}
      </Labelled>
      {choices.hasOtherAuthors && (
        <Field
          label="Another author"
          value={place.authorName}
          error={errors.authorName}
          hint="A name or email"
          onChange={({ target }) => type("authorName", target.value)}
          onBlur={() => save("authorName", place.authorName)}
          onKeyDown={onEnter(() => save("authorName", place.authorName))}
          maxLength={254}
          autoComplete="off"
        />
      )}
      <Field
        label="URL slug"
        value={place.slug}
        error={errors.slug}
        hint={isLive ? "The old URL will redirect here." : `${home.replace(/^https?:\/\//, "")}/articles/${place.slug}`}
        onChange={({ target }) => type("slug", target.value)}
        onBlur={saveSlug}
        onKeyDown={onEnter(saveSlug)}
        maxLength={300}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

const onEnter = (save: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  save();
};

function ContentsField({ isShown, onChange }: { isShown: boolean; onChange?: (isShown: boolean) => void }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-2.5 py-2 md:min-h-8 md:py-1">
      <input
        type="checkbox"
        form="draft"
        name="showTableOfContents"
        {...(onChange
          ? {
              checked: isShown,
              onChange: ({ currentTarget }: FormEvent<HTMLInputElement>) => onChange(currentTarget.checked),
            }
          : { defaultChecked: isShown })}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        Table of contents
        <span className="block text-text-muted">Shown if the article has two or more headings.</span>
      </span>
    </label>
  );
}

function SearchEngines({
  text,
  address,
  onChange,
}: {
  text: DraftText;
  address: string;
  onChange: (changes: Partial<DraftText>) => void;
}) {
  const beginning = useBeginning(text.html);
  const description = text.metaDescription ?? beginning;
  return (
    <>
      <Field
        label="SEO title"
        hint="Defaults to the article's title."
        defaultValue={text.pageTitle ?? ""}
        onChange={({ target }) => onChange({ pageTitle: target.value || null })}
        maxLength={300}
        autoComplete="off"
      />
      <TextField
        label="Meta description"
        hint="Defaults to the beginning of the text."
        rows={3}
        defaultValue={text.metaDescription ?? ""}
        onChange={({ target }) => onChange({ metaDescription: target.value || null })}
        maxLength={5_000}
      />
      <figure className="min-w-0 rounded-md border border-border bg-surface-raised p-3">
        <figcaption className="sr-only">Search result preview</figcaption>
        <p className="truncate text-text-muted">{address}</p>
        <p className="mt-0.5 line-clamp-2 text-base wrap-anywhere text-accent">
          {text.pageTitle ?? (text.title || "Untitled")}
        </p>
        {description && <p className="mt-0.5 line-clamp-3 wrap-anywhere text-text-muted">{description}</p>}
      </figure>
    </>
  );
}

/** The properties that a browser without scripts can change. They belong to the form of the draft. */
export function PlainDetails({
  text,
  valueOf,
}: {
  text: DraftText;
  valueOf: (name: keyof DraftText, value: string) => string;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4 text-sm">
      <h2 id={id} className="text-base">
        Metadata
      </h2>
      <TextField
        form="draft"
        label="Tags"
        name="tags"
        hint="One per line."
        rows={3}
        defaultValue={valueOf("tags", text.tags.join("\n"))}
      />
      <TextField
        form="draft"
        label="Keywords"
        name="keywords"
        hint="One per line."
        rows={3}
        defaultValue={valueOf("keywords", text.keywords.join("\n"))}
      />
      <Field
        form="draft"
        label="SEO title"
        name="pageTitle"
        defaultValue={valueOf("pageTitle", text.pageTitle ?? "")}
        maxLength={300}
      />
      <TextField
        form="draft"
        label="Meta description"
        name="metaDescription"
        rows={3}
        defaultValue={valueOf("metaDescription", text.metaDescription ?? "")}
        maxLength={5_000}
      />
      <ContentsField isShown={text.showTableOfContents} />
    </section>
  );
}
