"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useActionState, useEffect, useId, useRef, useState } from "react";
import { ArticleEditor } from "@/components/admin/editor/article-editor";
import { useBeginning } from "@/components/admin/editor/beginning";
import { lookUp } from "@/components/admin/look-up";
import { sendUpload } from "@/components/admin/send-upload";
import { Button } from "@/components/ui/button";
import { Field, TextField } from "@/components/ui/field";
import type { FormState } from "@/components/ui/form";
import { useHydrated } from "@/components/ui/hydrated";
import { Refusal } from "@/components/ui/refusal";
import { Tokens } from "@/components/ui/tokens";
import type { DraftText } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";
import { BroughtBack, Conflict, LeftBehind } from "./choices";
import { findArticles } from "./find-articles";
import { AttachmentList, RelatedList } from "./lists";
import { SaveLine } from "./save-line";
import { useAutosave } from "./use-autosave";

/** The writing page: the text, and the fields that are published with it. */
export function Desk({
  id,
  writerId,
  stored,
  home,
  tags,
  timeZone,
  save,
  actions,
  atOnce,
}: {
  id: string;
  writerId: string;
  stored: StoredDraft;
  home: string;
  tags: string[];
  timeZone: string;
  /** Saves the form without scripts. */
  save: (before: FormState, form: FormData) => Promise<FormState>;
  /** Links away from the page. Each waits until everything is saved. */
  actions: ReactNode;
  /** Fields that apply immediately, without publishing. */
  atOnce: ReactNode;
}) {
  const router = useRouter();
  const desk = useAutosave(id, writerId, stored);
  const isScripted = useHydrated();
  // Waits for the check for unsaved text. Earlier typing would go into the form for browsers without scripts.
  const hydrated = isScripted && desk.isReady;
  const { text, state, change, flush } = desk;
  const [refused, submit] = useActionState(save, { values: {}, errors: {} });
  const form = useRef<HTMLFormElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  const line = useRef<HTMLDivElement>(null);
  const [isTopSeen, setTopSeen] = useState(true);

  // The surrounding page shows the article's status and URL.
  const { hasDraft, slug } = desk.known;
  useEffect(() => {
    if (hasDraft !== stored.hasDraft || slug !== stored.slug) router.refresh();
  }, [router, hasDraft, slug, stored.hasDraft, stored.slug]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      void flush();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [flush]);

  // Linked pages show the stored text, so links wait for the save to finish.
  useEffect(() => {
    const place = top.current;
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLAnchorElement>("a[data-after-saving]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      setLeaving(true);
      void flush().then((isSaved) => {
        setLeaving(false);
        if (isSaved) location.assign(link.href);
      });
    };
    place?.addEventListener("click", onClick, true);
    return () => place?.removeEventListener("click", onClick, true);
  }, [flush]);

  // The choice appears above the text, so announce it to writers who have scrolled down.
  useEffect(() => {
    if (!line.current) return;
    const observer = new IntersectionObserver(([seen]) => setTopSeen(seen?.isIntersecting ?? true));
    observer.observe(line.current);
    return () => observer.disconnect();
  }, []);
  const waiting =
    state.kind === "conflict"
      ? "Nothing is saved until you choose which text goes on."
      : state.kind === "failed"
        ? "What you write is not saved at the moment."
        : desk.left.length > 0
          ? "There is text of yours that was left behind."
          : null;

  const shown = (name: keyof DraftText, value: string) => refused.values[name] ?? value;
  return (
    <div ref={top} className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <div ref={line} className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {hydrated ? (
            <div className="min-w-0 max-md:basis-full">
              <SaveLine state={state} timeZone={timeZone} isLeaving={leaving} onRetry={() => void flush()} />
              {desk.replaced && <BroughtBack isUndone={desk.replaced.isBack} takeStored={() => desk.takeStored()} />}
            </div>
          ) : (
            <span />
          )}
          <div className="flex flex-wrap gap-2">{actions}</div>
        </div>
        {refused.errors[""] && (
          <div className="mb-4">
            <Refusal>{refused.errors[""]}</Refusal>
          </div>
        )}
        {desk.left.map((one) => (
          <LeftBehind
            key={one.key}
            copy={one.copy}
            timeZone={timeZone}
            bringBack={() => desk.bringBack(one)}
            throwAway={() => desk.throwAway(one)}
          />
        ))}
        {state.kind === "conflict" && (
          <Conflict
            mine={text}
            theirs={state.now}
            isOwn={state.isOwn}
            timeZone={timeZone}
            keepMine={() => desk.keepMine(state.now)}
            takeTheirs={() => desk.takeTheirs(state.now)}
          />
        )}
        <form
          ref={form}
          id="draft"
          action={submit}
          onSubmit={(event) => {
            event.preventDefault();
            void flush();
          }}
          className="grid grid-cols-[minmax(0,1fr)] gap-4"
        >
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="revision" value={stored.revision} />
          <TitleField
            key={`title ${desk.generation}`}
            title={hydrated ? text.title : shown("title", stored.text.title)}
            onChange={(title) => change({ title })}
          />
          {hydrated ? (
            <ArticleEditor
              key={desk.generation}
              html={text.html}
              onChange={(html) => change({ html })}
              findArticles={findArticles}
              sendImage={sendImage}
              title={text.title}
              lookUp={(lookup) => lookUp(id, lookup)}
            />
          ) : isScripted ? (
            <div aria-busy="true" className="min-h-96" />
          ) : (
            <TextField label="Text, as HTML" name="html" rows={24} defaultValue={shown("html", stored.text.html)} />
          )}
          {!isScripted && (
            <div>
              <Button type="submit">Save</Button>
            </div>
          )}
        </form>
        {waiting && !isTopSeen && (
          <div className="sticky bottom-0 z-20 -mx-1 mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-border bg-surface-raised px-3 py-2 text-sm print:hidden">
            <p className="font-medium text-caution">{waiting}</p>
            <Button
              type="button"
              look="plain"
              size="small"
              onClick={() => top.current?.scrollIntoView({ block: "start" })}
            >
              Show
            </Button>
          </div>
        )}
      </div>
      <aside aria-label="About the article" className="grid min-w-0 content-start gap-8 text-sm">
        {atOnce}
        <section aria-labelledby="with-the-text" className="grid gap-5 border-t border-border pt-6">
          <div>
            <h2 id="with-the-text" className="text-base">
              Beside the text
            </h2>
            <p className="mt-1 text-text-muted">Readers see this when the article is published.</p>
          </div>
          {hydrated ? (
            <>
              <Tokens
                label="Tags"
                hint="Enter or a comma adds one."
                values={text.tags}
                suggestions={tags}
                maxLength={100}
                onChange={(values) => change({ tags: values })}
              />
              <Tokens
                label="Keywords"
                hint="Words that people search for and the text does not have."
                values={text.keywords}
                maxLength={200}
                onChange={(values) => change({ keywords: values })}
              />
              <RelatedList
                articleId={id}
                known={desk.met.related}
                ids={text.relatedIds}
                onChange={(relatedIds) => change({ relatedIds })}
              />
              <AttachmentList
                known={desk.met.attachments}
                ids={text.attachmentIds}
                onChange={(attachmentIds) => change({ attachmentIds })}
              />
            </>
          ) : isScripted ? null : (
            <>
              <TextField
                form="draft"
                label="Tags"
                name="tags"
                hint="One a line."
                rows={3}
                defaultValue={shown("tags", stored.text.tags.join("\n"))}
              />
              <TextField
                form="draft"
                label="Keywords"
                name="keywords"
                hint="One a line."
                rows={3}
                defaultValue={shown("keywords", stored.text.keywords.join("\n"))}
              />
            </>
          )}
          <SearchEngines
            key={`seo ${desk.generation}`}
            text={hydrated ? text : stored.text}
            address={`${home}/articles/${desk.known.slug}`}
            onChange={change}
          />
          <label className="flex min-h-11 cursor-pointer items-start gap-2.5 py-2 md:min-h-8 md:py-1">
            <input
              form="draft"
              type="checkbox"
              name="showTableOfContents"
              checked={text.showTableOfContents}
              onChange={({ target }) => change({ showTableOfContents: target.checked })}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              Table of contents
              <span className="block text-text-muted">Shown where there are two headings or more.</span>
            </span>
          </label>
        </section>
      </aside>
    </div>
  );
}

function TitleField({ title, onChange }: { title: string; onChange: (title: string) => void }) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        Title
      </label>
      <input
        id={id}
        name="title"
        defaultValue={title}
        onChange={({ target }) => onChange(target.value)}
        // Enter moves the cursor into the text.
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.querySelector<HTMLElement>("textarea, [contenteditable=true]")?.focus();
        }}
        maxLength={300}
        placeholder="Untitled"
        autoComplete="off"
        className="h-12 w-full rounded-sm border border-border-field bg-surface-raised px-3 text-lg font-semibold placeholder:text-text-muted"
      />
    </div>
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
        form="draft"
        label="Title for search engines"
        name="pageTitle"
        hint="The article's own when left empty. About 60 characters are shown."
        defaultValue={text.pageTitle ?? ""}
        onChange={({ target }) => onChange({ pageTitle: target.value || null })}
        maxLength={300}
        autoComplete="off"
      />
      <TextField
        form="draft"
        label="Description for search engines"
        name="metaDescription"
        hint="The beginning of the text when left empty. About 160 characters are shown."
        rows={3}
        defaultValue={text.metaDescription ?? ""}
        onChange={({ target }) => onChange({ metaDescription: target.value || null })}
        maxLength={5_000}
      />
      <figure className="min-w-0 rounded-md border border-border bg-surface-raised p-3">
        <figcaption className="sr-only">As a search engine shows it</figcaption>
        <p className="truncate text-text-muted">{address}</p>
        <p className="mt-0.5 line-clamp-2 text-base wrap-anywhere text-accent">
          {text.pageTitle ?? (text.title || "Untitled")}
        </p>
        {description && <p className="mt-0.5 line-clamp-3 wrap-anywhere text-text-muted">{description}</p>}
      </figure>
    </>
  );
}

async function sendImage(file: File, onProgress: (share: number) => void) {
  const { path, width, height } = await sendUpload(file, { as: "image" }, { progress: onProgress });
  return { src: path, ...(width && { width }), ...(height && { height }) };
}
