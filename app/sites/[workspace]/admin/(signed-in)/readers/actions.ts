"use server";

import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import { changeReaderOptions, type ReaderOptions } from "@/lib/settings/reader-options";
import { redirectWith } from "../../_flash";

/** Changes all three options together. An unchecked option is off. */
export async function submitReaderOptions(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const options = optionsIn(form, "");
  let before: ReaderOptions;
  try {
    before = await inWorkspace(workspace.id, (db) => changeReaderOptions(db, options, optionsIn(form, "seen-"), actor));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const message = "Not saved. Someone else changed these settings. Check them and try again.";
    return redirectWith("/admin/readers", message);
  }
  const changes = changesBetween(before, options);
  if (changes.length === 0) {
    return redirectWith("/admin/readers", "No changes to save");
  }
  const fields = { ...fieldsOf(before, ""), ...fieldsOf(options, "seen-") };
  return redirectWith("/admin/readers", changes.join(" "), { name: "readerOptions", fields });
}

function changesBetween(before: ReaderOptions, now: ReaderOptions): string[] {
  return [
    now.visibility !== before.visibility &&
      (now.visibility === "members" ? "The knowledge base is now members-only." : "The knowledge base is now public."),
    now.feedbackEnabled !== before.feedbackEnabled &&
      (now.feedbackEnabled ? "Feedback turned on." : "Feedback turned off."),
    now.searchLogEnabled !== before.searchLogEnabled &&
      (now.searchLogEnabled ? "Search log turned on." : "Search log turned off."),
  ].filter((change) => change !== false);
}

function optionsIn(form: FormData, prefix: string): ReaderOptions {
  return {
    visibility: textOf(form, `${prefix}visibility`) === "everyone" ? "everyone" : "members",
    feedbackEnabled: textOf(form, `${prefix}feedback`) === "on",
    searchLogEnabled: textOf(form, `${prefix}searches`) === "on",
  };
}

function fieldsOf({ visibility, feedbackEnabled, searchLogEnabled }: ReaderOptions, prefix: string) {
  return {
    [`${prefix}visibility`]: visibility,
    ...(feedbackEnabled && { [`${prefix}feedback`]: "on" }),
    ...(searchLogEnabled && { [`${prefix}searches`]: "on" }),
  };
}
