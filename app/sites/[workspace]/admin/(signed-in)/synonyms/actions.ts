"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { synonymLinesIn } from "@/lib/synonym-lines";
import { addSynonym, addSynonyms, changeSynonym, removeSynonym, restoreSynonym } from "@/lib/synonyms";
import { found, refused, refusedFor } from "../../_form";

/** Adds a synonym, or changes the one that the form names. */
export async function submitSynonym(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  const id = textOf(form, "id");
  const given = {
    term: textOf(form, "term"),
    replacements: linesOf(textOf(form, "replacements")),
    twoWay: textOf(form, "ways") !== "one",
  };
  let saved: { id: string };
  try {
    saved = await inWorkspace(workspace.id, (db) =>
      id ? changeSynonym(db, id, given, actor) : addSynonym(db, given, actor),
    );
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/synonyms?done=saved&of=${saved.id}`);
}

export async function submitRemoveSynonym(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const id = textOf(form, "id");
  await found(inWorkspace(workspace.id, (db) => removeSynonym(db, id, actor)));
  redirect(`/admin/synonyms?done=removed&of=${id}`);
}

/** Brings back what was just removed; where its term has a synonym again, that one is shown. */
export async function submitRestoreSynonym(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const id = textOf(form, "id");
  let restored: { id: string };
  try {
    restored = await inWorkspace(workspace.id, (db) => restoreSynonym(db, id, actor));
  } catch (error) {
    refused(form, error);
    redirect("/admin/synonyms?done=not-restored");
  }
  redirect(`/admin/synonyms?done=restored&of=${restored.id}`);
}

export interface PasteState extends FormState {
  /** Of the lines that were sent, those that are not added, and why. */
  refused: { line: string; reasons: string[] }[];
  added: number;
}

const MOST_LINES = 1_000;

/** Adds what of a pasted list can be added. The rest stays in the form. */
export async function submitSynonyms(_before: PasteState, form: FormData): Promise<PasteState> {
  const { workspace, actor } = await requireActor("settings.manage");
  const lines = synonymLinesIn(textOf(form, "lines"));
  const nothing = { refused: [], added: 0 };
  if (lines.length === 0) return { ...refusedFor(form, "lines", "Paste at least one line."), ...nothing };
  if (lines.length > MOST_LINES) {
    const message = `These are ${lines.length.toLocaleString("en")} lines: paste at most ${MOST_LINES.toLocaleString("en")} at a time.`;
    return { ...refusedFor(form, "lines", message), ...nothing };
  }
  const read = lines.flatMap(({ given }) => given ?? []);
  const answers = await inWorkspace(workspace.id, (db) => addSynonyms(db, read, actor));
  const left: PasteState["refused"] = [];
  for (const { text, given } of lines) {
    const fields = given === null ? undefined : answers.shift();
    const reasons = given === null ? [UNREADABLE] : (fields ?? []).map(({ message }) => message);
    if (reasons.length > 0) left.push({ line: text, reasons });
  }
  const added = lines.length - left.length;
  if (left.length === 0) redirect(`/admin/synonyms?done=added&count=${added}`);
  return { values: { lines: left.map(({ line }) => line).join("\n") }, errors: {}, refused: left, added };
}

const UNREADABLE = "A line has an = (both ways) or a > (one way) between the words.";

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
