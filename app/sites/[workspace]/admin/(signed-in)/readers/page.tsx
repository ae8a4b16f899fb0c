import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage, type Told } from "@/components/admin/page";
import { Submit } from "@/components/ui/submit";
import { readWorkspace } from "@/lib/db";
import { type ReaderOptions, readerOptions } from "@/lib/reader-options";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { wordOf } from "../../_form";
import { submitReaderOptions } from "./actions";

export const metadata: Metadata = { title: "Readers" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReadersPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  const options = await readWorkspace(workspace.id, readerOptions);
  const { visibility, feedbackEnabled, searchLogEnabled, open, closed } = options;
  const asked = await searchParams;
  return (
    <AdminPage
      title="Readers"
      about="Who may read, and what readers can tell you. What you save holds from the next page on that somebody opens."
      told={
        asked.done === "saved"
          ? toldOf(options, {
              visibility: wordOf(asked.visibility) === "members" ? "members" : "everyone",
              feedbackEnabled: wordOf(asked.feedback) === "on",
              searchLogEnabled: wordOf(asked.searches) === "on",
            })
          : asked.done === "refused"
            ? {
                text: "Somebody has changed these meanwhile, so nothing is saved: look at them as they are now.",
                close: "/admin/readers",
              }
            : undefined
      }
    >
      {/* A choice that was saved is where it starts from: without the key, it would be what was chosen first. */}
      <form
        key={`${visibility} ${feedbackEnabled} ${searchLogEnabled}`}
        action={submitReaderOptions}
        className="grid max-w-[42rem] gap-8"
      >
        <Seen options={options} />
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-base font-semibold">Who may read</legend>
          <Option type="radio" name="visibility" value="everyone" checked={visibility === "everyone"} label="Everyone">
            Articles are found by search engines, and can be read without signing in.
            {closed > 0 && <CategoryNote count={closed} is="for members and stays so" are="for members and stay so" />}
          </Option>
          <Option
            type="radio"
            name="visibility"
            value="members"
            checked={visibility === "members"}
            label="Members only"
          >
            Who is not signed in sees no article. Links that were shared lead others to the sign-in; the feed, the
            sitemap and the files for language models are no longer there; search engines are asked to stay away, and
            may show for some days what they have. Programs with an API key go on reading everything.
            {open > 0 && (
              <CategoryNote count={open} is="for everyone and stays open" are="for everyone and stay open" />
            )}
          </Option>
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-base font-semibold">What readers tell you</legend>
          <Option
            type="checkbox"
            name="feedback"
            value="on"
            checked={feedbackEnabled}
            label="Ask whether an article helped"
          >
            Below each article: yes or no, with a reason, and without a name. Switched off, the question is gone from
            every page and nothing more is taken; the answers so far stay.
          </Option>
          <Option
            type="checkbox"
            name="searches"
            value="on"
            checked={searchLogEnabled}
            label="Keep what is searched for"
          >
            The words and the number of results, never who searched. Switched off, nothing more is kept; searches so far
            stay.
          </Option>
        </fieldset>
        <div>
          <Submit busy="Saving …">Save</Submit>
        </div>
      </form>
    </AdminPage>
  );
}

function CategoryNote({ count, is, are }: { count: number; is: string; are: string }) {
  return (
    <>
      {" "}
      {count === 1 ? `One category is itself ${is}: ` : `${count} categories are themselves ${are}: `}
      <Link href="/admin/categories" prefetch={false}>
        see the categories
      </Link>
      .
    </>
  );
}

/** A choice and what it means. */
function Option({
  type,
  name,
  value,
  checked,
  label,
  children,
}: {
  type: "radio" | "checkbox";
  name: string;
  value: string;
  checked: boolean;
  label: string;
  children: ReactNode;
}) {
  const id = `${name}-${value}`;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-md border border-border bg-surface-raised px-4 py-3">
      <input
        id={id}
        type={type}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={`${id}-about`}
        className="mt-1 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id} className="block cursor-pointer font-medium">
          {label}
        </label>
        <p id={`${id}-about`} className="mt-0.5 text-text-muted">
          {children}
        </p>
      </div>
    </div>
  );
}

/** What a form was filled in with before one's eyes: it is not sent over what somebody else has saved since. */
function Seen({ options: { visibility, feedbackEnabled, searchLogEnabled } }: { options: ReaderOptions }) {
  return (
    <>
      <input type="hidden" name="seen-visibility" value={visibility} />
      {feedbackEnabled && <input type="hidden" name="seen-feedback" value="on" />}
      {searchLogEnabled && <input type="hidden" name="seen-searches" value="on" />}
    </>
  );
}

function toldOf(now: ReaderOptions, before: ReaderOptions): Told {
  const close = "/admin/readers";
  const news = [
    now.visibility !== before.visibility &&
      (now.visibility === "members" ? "Only members can read from now on." : "Everyone can read from now on."),
    now.feedbackEnabled !== before.feedbackEnabled &&
      (now.feedbackEnabled ? "Articles ask whether they helped." : "Articles no longer ask whether they helped."),
    now.searchLogEnabled !== before.searchLogEnabled &&
      (now.searchLogEnabled ? "Searches are kept." : "Searches are no longer kept."),
  ].filter((one) => one !== false);
  if (news.length === 0) return { text: "Nothing was changed: it was saved like this before.", close };
  return {
    text: news.join(" "),
    close,
    undo: (
      <form action={submitReaderOptions}>
        <Seen options={now} />
        <input type="hidden" name="visibility" value={before.visibility} />
        {before.feedbackEnabled && <input type="hidden" name="feedback" value="on" />}
        {before.searchLogEnabled && <input type="hidden" name="searches" value="on" />}
        <Submit busy="Undoing …" look="plain" size="small">
          Undo
        </Submit>
      </form>
    ),
  };
}
