import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { Submit } from "@/components/ui/submit";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { type ReaderOptions, readerOptions } from "@/lib/settings/reader-options";
import { submitReaderOptions } from "./actions";

export const metadata: Metadata = { title: "Readers" };

export default async function ReadersPage() {
  const { workspace } = await requireMember("settings.manage");
  const options = await readWorkspace(workspace.id, readerOptions);
  const { visibility, feedbackEnabled, searchLogEnabled, open, closed } = options;
  return (
    <AdminPage
      title="Readers"
      about="Who may read, and what readers can tell you. What you save holds from the next page on that somebody opens."
    >
      {/* The key resets the form to the saved choice. Without it, the form would keep the initial one. */}
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

/** A choice and its meaning. */
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

/** The options as the form showed them, so that saving does not overwrite later changes. */
function Seen({ options: { visibility, feedbackEnabled, searchLogEnabled } }: { options: ReaderOptions }) {
  return (
    <>
      <input type="hidden" name="seen-visibility" value={visibility} />
      {feedbackEnabled && <input type="hidden" name="seen-feedback" value="on" />}
      {searchLogEnabled && <input type="hidden" name="seen-searches" value="on" />}
    </>
  );
}
