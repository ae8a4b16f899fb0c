"use server";

import { redirect } from "next/navigation";
import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { changeReaderOptions, type ReaderOptions } from "@/lib/reader-options";
import { requireActor } from "@/lib/session";

/** All three options at once; what is not checked is off. The address that is led to says what they were before. */
export async function submitReaderOptions(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  let before: ReaderOptions;
  try {
    before = await inWorkspace(workspace.id, (db) =>
      changeReaderOptions(db, optionsIn(form, ""), optionsIn(form, "seen-"), actor),
    );
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    redirect("/admin/readers?done=refused");
  }
  const was = new URLSearchParams({
    done: "saved",
    visibility: before.visibility,
    ...(before.feedbackEnabled && { feedback: "on" }),
    ...(before.searchLogEnabled && { searches: "on" }),
  });
  redirect(`/admin/readers?${was}`);
}

function optionsIn(form: FormData, before: string): ReaderOptions {
  return {
    visibility: textOf(form, `${before}visibility`) === "everyone" ? "everyone" : "members",
    feedbackEnabled: textOf(form, `${before}feedback`) === "on",
    searchLogEnabled: textOf(form, `${before}searches`) === "on",
  };
}
