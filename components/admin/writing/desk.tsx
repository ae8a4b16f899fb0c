"use client";

import { FileCode, Maximize2 } from "lucide-react";
import { useRouter } from "next/navigation";
import {
  type ReactNode,
  type RefObject,
  startTransition,
  useActionState,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { ArticleEditor } from "@/components/admin/editor/article-editor";
import { MarkdownEditor } from "@/components/admin/editor/markdown-editor";
import { lookUp } from "@/components/admin/look-up";
import { sendUpload } from "@/components/admin/send-upload";
import type { MenuEntry } from "@/components/ui/actions-menu";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Drawer, DrawerButton, useDrawer } from "@/components/ui/drawer";
import { TextField } from "@/components/ui/field";
import type { FormState } from "@/components/ui/form";
import { useHydrated } from "@/components/ui/hydrated";
import { IconButton } from "@/components/ui/icon-button";
import { Refusal } from "@/components/ui/refusal";
import { announce, ToastHere } from "@/components/ui/toast";
import type { DraftText } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";
import { BroughtBack, Conflict, LeftBehind } from "./choices";
import { DETAILS, type DeskArticle, type DeskChoices } from "./desk-article";
import { Details, PlainDetails } from "./details";
import { findPlaces } from "./find-articles";
import { DeskHead } from "./head";
import { PublishBox, type Published } from "./publish";
import { Notice, SaveLine, SaveNotice } from "./save-line";
import { TitleField } from "./title-field";
import { useAutosave } from "./use-autosave";
import { useFocusMode } from "./use-focus-mode";
import { type Place, usePlace } from "./use-place";

/** Server actions. Those without a result lead to another page. */
export interface DeskActions {
  publish: (before: Published, form: FormData) => Promise<Published>;
  unpublish: (form: FormData) => Promise<void>;
  discard: (form: FormData) => Promise<void>;
  duplicate: (form: FormData) => Promise<void>;
}

/** The writing page: the text, and the properties of the article. */
export function Desk({
  article,
  writerId,
  stored,
  home,
  choices,
  timeZone,
  isDrawerOpen,
  save,
  actions,
  schedule,
  plain,
}: {
  article: DeskArticle;
  writerId: string;
  stored: StoredDraft;
  home: string;
  choices: DeskChoices;
  timeZone: string;
  isDrawerOpen: boolean;
  /** Saves the form without scripts. */
  save: (before: FormState, form: FormData) => Promise<FormState>;
  actions: DeskActions;
  /** What happens to the article, and when. */
  schedule: ReactNode;
  /** Fields for browsers without scripts. */
  plain: ReactNode;
}) {
  const { id } = article;
  const here = `/admin/articles/${id}`;
  const router = useRouter();
  const desk = useAutosave(id, writerId, stored);
  const initialPlace: Place = {
    slug: desk.known.slug,
    categoryId: article.category.id,
    authorId: article.author.id,
    authorName: "",
  };
  const place = usePlace(id, writerId, initialPlace);
  const isScripted = useHydrated();
  // Waits for the check for unsaved text. Earlier typing would go into the form for browsers without scripts.
  const hydrated = isScripted && desk.isReady;
  const { text, state, change, flush } = desk;
  const [refused, submit] = useActionState(save, { values: {}, errors: {} });
  const top = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  const choice = useRef<HTMLDivElement>(null);
  const [isChoiceSeen, setChoiceSeen] = useState(true);
  const drawer = useDrawer(DETAILS, isDrawerOpen);
  const [said, setSaid] = useState("");
  const say = (message: string) => {
    place.forget();
    setSaid(message);
    announce(message);
  };
  const [isSource, setSource] = useState(false);
  const source = useRef<{ settle: () => void }>(null);
  const onHtml = useCallback((html: string) => change({ html }), [change]);
  const focus = useFocusMode();
  const foot = (
    <>
      <IconButton
        label="Edit as Markdown"
        icon={FileCode}
        aria-pressed={isSource}
        onClick={() => {
          source.current?.settle();
          setSource(!isSource);
        }}
      />
      <span className="contents max-md:hidden">
        <IconButton label="Focus mode" icon={Maximize2} aria-pressed={focus.isOn} onClick={focus.toggle} />
      </span>
    </>
  );
  const publishing = useRef<HTMLSpanElement>(null);
  const [isPublishing, setPublishing] = useState(false);

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

  /** Saves everything first. */
  const afterSaving = async (next: () => void) => {
    setLeaving(true);
    const isSaved = (await Promise.all([flush(), place.settled()])).every(Boolean);
    setLeaving(false);
    if (isSaved) next();
  };
  const leave = useEffectEvent((href: string) => void afterSaving(() => location.assign(href)));
  // Linked pages show the stored text, so links wait for the save to finish.
  useEffect(() => {
    const box = top.current;
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest<HTMLAnchorElement>("a[data-after-saving]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      leave(link.href);
    };
    box?.addEventListener("click", onClick, true);
    return () => box?.removeEventListener("click", onClick, true);
  }, []);

  // The choice appears above the text, so the head announces it to writers who have scrolled down.
  useEffect(() => {
    if (!choice.current) return;
    const observer = new IntersectionObserver(([seen]) => setChoiceSeen(seen?.isIntersecting ?? true), {
      rootMargin: "-48px 0px 0px",
    });
    observer.observe(choice.current);
    return () => observer.disconnect();
  }, []);
  const waiting =
    state.kind === "conflict"
      ? "Resolve the conflict to continue saving."
      : desk.left.length > 0
        ? "You have unsaved changes from earlier."
        : null;
  const placeError = Object.values(place.errors)[0];

  const run = (action: (form: FormData) => Promise<void>) => () =>
    void afterSaving(() => {
      const form = new FormData();
      form.set("id", id);
      form.set("revision", String(desk.known.revision));
      startTransition(() => action(form));
    });
  const path = `/articles/${slug}`;
  const isPublished = article.state === "published";
  const menu: MenuEntry[] = [
    { name: "Preview", does: `${here}/preview` },
    { name: "Versions", does: `${here}/versions` },
    ...(isPublished
      ? [
          { name: "View live", does: path },
          {
            name: "Copy link",
            does: () => void navigator.clipboard.writeText(home + path).then(() => say("Link copied")),
          },
        ]
      : []),
    { name: "Duplicate", does: run(actions.duplicate) },
    ...(article.mayManageCategories
      ? [
          {
            name: `Reorder articles in ${article.category.name}`,
            does: `/admin/categories/${article.category.id}/articles`,
          },
        ]
      : []),
    ...(isPublished && hasDraft
      ? [{ name: "Discard changes", apart: true, danger: true, does: run(actions.discard) }]
      : []),
    ...(isPublished && article.mayPublish
      ? [{ name: "Unpublish", apart: !hasDraft, danger: true, does: run(actions.unpublish) }]
      : []),
    ...(article.mayChange ? [{ name: "Delete…", apart: !isPublished, danger: true, does: `${here}/delete` }] : []),
  ];

  const isDetailed = drawer.isOpen && !focus.isOn;
  const shown = (name: keyof DraftText, value: string) => refused.values[name] ?? value;
  return (
    <div ref={top} className="desk">
      <DeskHead
        article={article}
        hasDraft={hasDraft}
        here={here}
        path={path}
        isScripted={isScripted}
        menu={menu}
        save={hydrated && <SaveLine state={state} isBusy={leaving || place.isSaving} timeZone={timeZone} />}
        details={<DrawerButton id={DETAILS} label="Details" isOpen={drawer.isOpen} onToggle={drawer.toggle} />}
        publish={
          hydrated && article.mayPublish ? (
            <PublishButton
              ref={publishing}
              hasDraft={hasDraft}
              isOpen={isPublishing}
              onOpen={() => void afterSaving(() => setPublishing(true))}
            />
          ) : (
            <ButtonLink
              href={`${here}/publish`}
              size="small"
              look={article.mayPublish && hasDraft ? "primary" : "plain"}
              data-after-saving
            >
              {article.mayPublish ? (hasDraft ? "Publish" : "Unpublish") : "Ask to publish"}
            </ButtonLink>
          )
        }
      >
        {hydrated && <SaveNotice state={state} onRetry={() => void flush()} />}
        {placeError && <Notice>{`Details aren't saved. ${placeError}`}</Notice>}
        {waiting && !isChoiceSeen && (
          <Notice>
            {waiting}{" "}
            <button type="button" className="cursor-pointer underline" onClick={() => scrollTo({ top: 0 })}>
              Show
            </button>
          </Notice>
        )}
        {schedule}
      </DeskHead>
      <div className={isDetailed ? "xl:grid xl:grid-cols-[minmax(0,1fr)_20rem]" : ""}>
        <div className="desk-text flex min-w-0 flex-col">
          <div ref={choice}>
            {desk.replaced && <BroughtBack isUndone={desk.replaced.isBack} takeStored={() => desk.takeStored()} />}
            {refused.errors[""] && (
              <div className="px-4 pt-4 md:px-6">
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
          </div>
          <form
            id="draft"
            action={submit}
            onSubmit={(event) => {
              event.preventDefault();
              void flush();
            }}
            className="flex grow flex-col"
          >
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="revision" value={stored.revision} />
            {hydrated ? (
              isSource ? (
                <MarkdownEditor
                  key={desk.generation}
                  html={text.html}
                  onChange={onHtml}
                  onRefuse={(why) => {
                    setSource(false);
                    say(why);
                  }}
                  ref={source}
                  foot={foot}
                >
                  <TitleField title={text.title} onChange={(title) => change({ title })} />
                </MarkdownEditor>
              ) : (
                <ArticleEditor
                  key={desk.generation}
                  html={text.html}
                  foot={foot}
                  onChange={onHtml}
                  findArticles={findPlaces}
                  sendImage={sendImage}
                  title={text.title}
                  lookUp={(lookup) => lookUp(id, lookup)}
                  snippets={choices.snippets}
                >
                  <TitleField title={text.title} onChange={(title) => change({ title })} />
                </ArticleEditor>
              )
            ) : (
              <div className="column" aria-busy={isScripted || undefined}>
                <TitleField title={shown("title", stored.text.title)} onChange={(title) => change({ title })} />
                {!isScripted && (
                  <div className="grid gap-4 pt-4">
                    <TextField
                      label="Text, as HTML"
                      name="html"
                      rows={24}
                      defaultValue={shown("html", stored.text.html)}
                    />
                    <div>
                      <Button type="submit">Save</Button>
                    </div>
                  </div>
                )}
              </div>
            )}
          </form>
        </div>
        <Drawer id={DETAILS} label="Details" isOpen={isDetailed}>
          {hydrated ? (
            <Details article={article} home={home} choices={choices} desk={desk} place={place} />
          ) : (
            !isScripted && (
              <div className="grid gap-6">
                {plain}
                <PlainDetails text={stored.text} valueOf={shown} />
              </div>
            )
          )}
        </Drawer>
      </div>
      {isPublishing && (
        <PublishBox
          articleId={id}
          title={text.title}
          html={text.html}
          hasDraft={hasDraft}
          path={path}
          timeZone={timeZone}
          beside={publishing}
          publish={actions.publish}
          onClose={(message) => {
            setPublishing(false);
            if (message) say(message);
          }}
        />
      )}
      {isPublished && place.done && (
        <PlaceToast
          key={place.done.before}
          place={place}
          done={place.done}
          onClose={() => {
            place.forget();
            setSaid("");
          }}
        />
      )}
      {said && !place.done && (
        <ToastHere text={said} onClose={() => setSaid("")}>
          {null}
        </ToastHere>
      )}
    </div>
  );
}

const changes: Record<keyof Place, string> = {
  slug: "URL",
  categoryId: "Category",
  authorId: "Author",
  authorName: "Author",
};

/** Says that a change is live, and offers to undo it. */
function PlaceToast({
  place,
  done: { field, before },
  onClose,
}: {
  place: ReturnType<typeof usePlace>;
  done: { field: keyof Place; before: string };
  onClose: () => void;
}) {
  const text = `${changes[field]} changed on the site.`;
  useLayoutEffect(() => announce(text), [text]);
  return (
    <ToastHere text={text} onClose={onClose}>
      <Button type="button" look="plain" size="small" onClick={() => place.save(field, before, place.place[field])}>
        Undo
      </Button>
    </ToastHere>
  );
}

/** Opens the box below it, and does not open it again when the press that closed the box is over. */
function PublishButton({
  ref,
  hasDraft,
  isOpen,
  onOpen,
}: {
  ref: RefObject<HTMLSpanElement | null>;
  hasDraft: boolean;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const wasOpen = useRef(false);
  return (
    <span ref={ref}>
      <Button
        type="button"
        size="small"
        look={hasDraft ? "primary" : "plain"}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={() => {
          if (!wasOpen.current) onOpen();
          wasOpen.current = false;
        }}
      >
        Publish
      </Button>
    </span>
  );
}

async function sendImage(file: File, onProgress: (share: number) => void) {
  const { path, width, height } = await sendUpload(file, { as: "image" }, { progress: onProgress });
  return { src: path, ...(width && { width }), ...(height && { height }) };
}
