import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { countOf } from "@/components/ui/count";
import { Submit } from "@/components/ui/submit";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { type ReaderOptions, readerOptions } from "@/lib/settings/reader-options";
import { submitReaderOptions } from "./actions";

export const metadata: Metadata = { title: "Access and feedback" };

export default async function ReadersPage() {
  const { workspace } = await requireMember("settings.manage");
  const options = await readWorkspace(workspace.id, readerOptions);
  const { visibility, feedbackEnabled, searchLogEnabled, open, closed } = options;
  return (
    <AdminPage title="Access and feedback">
      {/* The key resets the form to the saved choice. Without it, the form would keep the initial one. */}
      <form
        key={`${visibility} ${feedbackEnabled} ${searchLogEnabled}`}
        action={submitReaderOptions}
        className="grid max-w-[42rem] gap-8"
      >
        <Seen options={options} />
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-base font-semibold">Who can read</legend>
          <Option type="radio" name="visibility" value="everyone" checked={visibility === "everyone"} label="Everyone">
            Anyone can read, and search engines can list your articles.{" "}
            {closed > 0 && <CategoryNote count={closed} stay="members only" />}
          </Option>
          <Option
            type="radio"
            name="visibility"
            value="members"
            checked={visibility === "members"}
            label="Members only"
          >
            Only signed-in members can read. The sitemap and the feed are turned off, and search engines are blocked.{" "}
            {open > 0 && <CategoryNote count={open} stay="public" />}
          </Option>
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-base font-semibold">Feedback</legend>
          <Option type="checkbox" name="feedback" value="on" checked={feedbackEnabled} label="Ask “Was this helpful?”">
            Shown below each article. Answers are anonymous.
          </Option>
          <Option type="checkbox" name="searches" value="on" checked={searchLogEnabled} label="Log searches">
            Logged searches are anonymous. If you turn off the log, existing data is kept.
          </Option>
        </fieldset>
        <div>
          <Submit busy="Saving…">Save</Submit>
        </div>
      </form>
    </AdminPage>
  );
}

function CategoryNote({ count, stay }: { count: number; stay: string }) {
  return (
    <>
      {" "}
      <Link href="/admin/categories" prefetch={false}>
        {" "}
        {countOf(count, "category", "categories")}{" "}
      </Link>{" "}
      {count === 1 ? "stays" : "stay"} {stay}.
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
