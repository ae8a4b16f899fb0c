"use server";

import { notFound } from "next/navigation";
import { countOf, number } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import type { Actor } from "@/lib/audit/audit";
import { type Db, inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { movePin, type Pin, pinArticle, unpinArticle } from "@/lib/pins/pins";
import { searchedText } from "@/lib/reader/published-search";
import { requireMember } from "@/lib/session";
import { synonymLinesIn } from "@/lib/synonyms/synonym-lines";
import { addSynonym, addSynonyms, changeSynonym, removeSynonym, type Synonym } from "@/lib/synonyms/synonyms";
import { redirectWith } from "../../_flash";
import { addressWith, found, idOf, refused, refusedFor } from "../../_form";

/** Adds a synonym, or changes the one that the form names. */
export async function submitSynonym(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("settings.manage");
  const id = textOf(form, "id");
  const input = {
    term: textOf(form, "term"),
    replacements: linesOf(textOf(form, "replacements")),
    twoWay: textOf(form, "ways") !== "one",
  };
  let saved: Synonym;
  try {
    saved = await inWorkspace(workspace.id, (db) =>
      id ? changeSynonym(db, id, input, actor) : addSynonym(db, input, actor),
    );
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/synonyms", `Synonym “${saved.term}” ${id ? "saved" : "added"}`);
}

export async function submitRemoveSynonym(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const id = textOf(form, "id");
  const { term } = await found(inWorkspace(workspace.id, (db) => removeSynonym(db, id, actor)));
  const message = `Synonym “${term}” removed`;
  return redirectWith("/admin/synonyms", message, { name: "deletion", fields: { one: `synonym:${id}` } });
}

/** Pins, unpins or moves an article in the search that the form names. */
async function changePin(form: FormData, change: (db: Db, pin: Pin, actor: Actor) => Promise<void>, done: string) {
  const { workspace, actor } = await requireMember("settings.manage");
  const pin = { term: searchedText(textOf(form, "term")), articleId: idOf(textOf(form, "article")) ?? notFound() };
  let message = `${done} “${pin.term}”`;
  try {
    await found(inWorkspace(workspace.id, (db) => change(db, pin, actor)));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    message = error.message;
  }
  return redirectWith(addressWith("/admin/synonyms", { try: pin.term }), message);
}

export async function submitPin(form: FormData): Promise<void> {
  return changePin(form, pinArticle, "Pinned for");
}

export async function submitUnpin(form: FormData): Promise<void> {
  return changePin(form, unpinArticle, "Unpinned from");
}

export async function submitMovePin(form: FormData): Promise<void> {
  const by = textOf(form, "by") === "up" ? -1 : 1;
  return changePin(form, (db, pin, actor) => movePin(db, pin, by, actor), "Moved in");
}

export interface PasteState extends FormState {
  /** The rejected lines, with reasons. */
  refused: { line: string; reasons: string[] }[];
  added: number;
}

const MOST_LINES = 1_000;

/** Adds the valid lines of a pasted list. The rest stays in the form. */
export async function submitSynonyms(_previous: PasteState, form: FormData): Promise<PasteState> {
  const { workspace, actor } = await requireMember("settings.manage");
  const lines = synonymLinesIn(textOf(form, "lines"));
  const nothing = { refused: [], added: 0 };
  if (lines.length === 0) return { ...refusedFor(form, "lines", "Paste at least one line."), ...nothing };
  if (lines.length > MOST_LINES) {
    const message = `${number(lines.length)} lines pasted. The limit is ${number(MOST_LINES)} at a time.`;
    return { ...refusedFor(form, "lines", message), ...nothing };
  }
  const read = lines.flatMap(({ synonym }) => synonym ?? []);
  const answers = await inWorkspace(workspace.id, (db) => addSynonyms(db, read, actor));
  const left: PasteState["refused"] = [];
  for (const { text, synonym } of lines) {
    const fields = synonym === null ? undefined : answers.shift();
    const reasons = synonym === null ? [UNREADABLE] : (fields ?? []).map(({ message }) => message);
    if (reasons.length > 0) left.push({ line: text, reasons });
  }
  const added = lines.length - left.length;
  if (left.length === 0) {
    return redirectWith("/admin/synonyms", `${countOf(added, "synonym")} added`);
  }
  return { values: { lines: left.map(({ line }) => line).join("\n") }, errors: {}, refused: left, added };
}

const UNREADABLE = "Put = (two-way) or > (one-way) between the words.";

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
