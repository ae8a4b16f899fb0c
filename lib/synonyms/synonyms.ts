import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, recordAudit, recordAudits } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { workspaceLimits } from "@/lib/limits";
import { LONGEST_SYNONYM, synonymForm } from "@/lib/search/synonyms";
import { unlessTaken } from "@/lib/taken";
import { putBack } from "@/lib/trash/rows";
import { lockTrash, putInTrash, removeFromTrash } from "@/lib/trash/trash";

export interface Synonym {
  id: string;
  term: string;
  replacements: string[];
  /** A search for a replacement also finds the term and the other replacements. */
  twoWay: boolean;
  createdAt: Date;
}

export interface NewSynonym {
  term: string;
  replacements: readonly string[];
  twoWay?: boolean;
}

const MOST_CHARACTERS = 100;
const MOST_REPLACEMENTS = 20;
const MOST_SYNONYMS = workspaceLimits.synonyms;

const columns = `id, term, replacements, two_way AS "twoWay", created_at AS "createdAt"`;

/** One page of synonyms by term, and the total. `search` ignores case, accents and punctuation. */
export async function listSynonyms(
  read: Read,
  { search = "", limit, offset }: { search?: string; limit: number; offset: number },
): Promise<{ synonyms: Synonym[]; total: number }> {
  const fits = `($1 = '' OR strpos(term_folded, $1) > 0 OR strpos(array_to_string(replacements_folded, E'\\n'), $1) > 0)`;
  const form = synonymForm(search);
  if (search.trim() !== "" && form === "") return { synonyms: [], total: 0 };
  const synonyms = await read<Synonym>(
    `SELECT ${columns} FROM synonyms WHERE ${fits} ORDER BY term_folded COLLATE "und-x-icu", id LIMIT $2 OFFSET $3`,
    [form, limit, offset],
  );
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM synonyms WHERE ${fits}`, [form]);
  return { synonyms, total: count?.total ?? 0 };
}

export async function findSynonym(read: Read, id: string): Promise<Synonym | null> {
  const [synonym] = await read<Synonym>(`SELECT ${columns} FROM synonyms WHERE id = $1::uuid`, [id]);
  return synonym ?? null;
}

/** @throws InvalidError naming every invalid field */
export async function addSynonym(db: Db, input: NewSynonym, actor: Actor): Promise<Synonym> {
  const row = rowOf(input);
  // Locked until the end of the transaction, so that two cannot both add the last one allowed.
  await lockWorkspace(db);
  if ((await db.synonym.count()) >= MOST_SYNONYMS) throw new InvalidError([tooMany]);
  const { id } = await unlessTaken(
    () => termTaken(row.term),
    () => db.synonym.create({ data: row, select: { id: true } }),
  );
  const synonym = await lockSynonym(db, id);
  await recordAudit(db, actor, "synonym.created", subjectOf(synonym), detailsOf(synonym));
  return synonym;
}

/** Adds the valid ones. Returns for each, in order, null or why it was not added. */
export async function addSynonyms(
  db: Db,
  inputs: readonly NewSynonym[],
  actor: Actor,
): Promise<(InvalidField[] | null)[]> {
  await lockWorkspace(db);
  const present = await db.synonym.findMany({ select: { termFolded: true } });
  const forms = new Set(present.map(({ termFolded }) => termFolded));
  const rows: (ReturnType<typeof rowOf> & { id: string })[] = [];
  const refusals = inputs.map((input) => {
    try {
      const row = rowOf(input);
      if (forms.has(row.termFolded)) return termTaken(row.term).fields;
      if (present.length + rows.length >= MOST_SYNONYMS) return [tooMany];
      forms.add(row.termFolded);
      rows.push({ id: randomUUID(), ...row });
      return null;
    } catch (error) {
      if (error instanceof InvalidError) return error.fields;
      throw error;
    }
  });
  if (rows.length === 0) return refusals;
  await db.synonym.createMany({ data: rows });
  const changes = rows.map((row) => ({ subject: subjectOf(row), details: detailsOf(row) }));
  await recordAudits(db, actor, "synonym.created", changes);
  return refusals;
}

/**
 * @param agree sees the locked synonym before the change, and may throw
 * @throws InvalidError, NotFoundError
 */
export async function changeSynonym(
  db: Db,
  id: string,
  changes: { term?: string; replacements?: readonly string[]; twoWay?: boolean },
  actor: Actor,
  agree: (before: Synonym) => void = () => {},
): Promise<Synonym> {
  const before = await lockSynonym(db, id);
  agree(before);
  const row = rowOf({ ...before, ...changes });
  if (
    (await db.synonym.count({
      where: { id, term: row.term, twoWay: row.twoWay, replacements: { equals: row.replacements } },
    })) > 0
  )
    return before;
  await unlessTaken(
    () => termTaken(row.term),
    () => db.synonym.updateMany({ where: { id }, data: row }),
  );
  const after = await lockSynonym(db, id);
  const changed = (["term", "replacements", "twoWay"] as const).filter(
    (name) => textOf(before[name]) !== textOf(after[name]),
  );
  if (changed.length === 0) return after;
  const details = Object.fromEntries(changed.map((name) => [name, `${textOf(before[name])} → ${textOf(after[name])}`]));
  await recordAudit(db, actor, "synonym.updated", subjectOf(after), details);
  return after;
}

/**
 * @param agree sees the locked synonym before the change, and may throw
 * @throws NotFoundError
 */
export async function removeSynonym(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: Synonym) => void = () => {},
): Promise<Synonym> {
  const synonym = await lockSynonym(db, id);
  agree(synonym);
  await putInTrash(db, "synonym", [synonym.id], actor);
  await db.synonym.deleteMany({ where: { id: synonym.id } });
  await recordAudit(db, actor, "synonym.removed", subjectOf(synonym), detailsOf(synonym));
  return synonym;
}

/** @throws InvalidError when its term has a synonym again or there are too many, NotFoundError */
export async function restoreSynonym(db: Db, id: string, actor: Actor): Promise<Synonym> {
  const [entry] = await lockTrash(db, "synonym", [id]);
  if (!entry) throw new NotFoundError("No such synonym.");
  await lockWorkspace(db);
  if ((await db.synonym.count()) >= MOST_SYNONYMS) throw new InvalidError([tooMany]);
  if ((await putBack(db, "synonyms", [entry.id])) === 0) throw termTaken(entry.title);
  await removeFromTrash(db, [entry.id]);
  const synonym = await lockSynonym(db, entry.id);
  await recordAudit(db, actor, "synonym.restored", subjectOf(synonym), detailsOf(synonym));
  return synonym;
}

function rowOf(input: NewSynonym) {
  const clean = (text: string) => text.normalize("NFC").trim().replace(/\s+/g, " ");
  const term = clean(input.term);
  const termFolded = synonymForm(term);
  const byForm = new Map<string, string>();
  for (const text of input.replacements.map(clean))
    if (!byForm.has(synonymForm(text))) byForm.set(synonymForm(text), text);

  const invalid: InvalidField[] = [];
  const add = (field: keyof NewSynonym, code: InvalidField["code"], message: string) =>
    invalid.push({ field, code, message });
  const check = (field: keyof NewSynonym, label: string, text: string, form: string) => {
    if (text === "") add(field, "required", `${label} must not be empty.`);
    else if (/[\p{Cc}\p{Cs}]/u.test(text)) add(field, "invalid", `${label} can't contain control characters.`);
    else if (text.length > MOST_CHARACTERS || form.split(" ").length > LONGEST_SYNONYM) {
      add(field, "too_long", `${label} can have up to ${MOST_CHARACTERS} characters and ${LONGEST_SYNONYM} words.`);
    } else if (form === "") add(field, "invalid", `${label} needs a letter or a digit, but "${text}" has none.`);
  };
  check("term", "A term", term, termFolded);
  for (const [form, text] of byForm) check("replacements", "A replacement", text, form);
  if (byForm.size === 0) add("replacements", "required", "Enter at least one replacement.");
  if (byForm.size > MOST_REPLACEMENTS) {
    const message = `A synonym can have up to ${MOST_REPLACEMENTS} replacements. You entered ${byForm.size}.`;
    add("replacements", "too_long", message);
  }
  if (termFolded !== "" && byForm.has(termFolded)) {
    const message = `The term "${term}" must not be among its own replacements, even with different case, accents, or punctuation.`;
    add("replacements", "not_allowed", message);
  }
  if (invalid.length > 0) throw new InvalidError(invalid);
  return {
    term,
    termFolded,
    replacements: [...byForm.values()],
    replacementsFolded: [...byForm.keys()],
    twoWay: input.twoWay ?? true,
  };
}

async function lockSynonym(db: Db, id: string): Promise<Synonym> {
  const [synonym] = z.guid().safeParse(id).success
    ? await readingOf(db)<Synonym>(`SELECT ${columns} FROM synonyms WHERE id = $1::uuid FOR UPDATE`, [id])
    : [];
  if (!synonym) throw new NotFoundError("There is no synonym with this ID. List the synonyms to find it.");
  return synonym;
}

function termTaken(term: string): InvalidError {
  const message = `"${term}" already has a synonym. Add a replacement to it instead.`;
  return new InvalidError([{ field: "term", code: "taken", message }]);
}

const tooMany: InvalidField = {
  field: "term",
  code: "not_allowed",
  message: `A workspace can have up to ${MOST_SYNONYMS.toLocaleString("en")} synonyms. Delete one first.`,
};

function subjectOf({ id, term }: Pick<Synonym, "id" | "term">): { kind: string; id: string; name: string } {
  return { kind: "synonym", id, name: term };
}

/** No replacement contains it. */
const BETWEEN = "\n";

function detailsOf({ replacements, twoWay }: Pick<Synonym, "replacements" | "twoWay">) {
  return { replacements: replacements.join(BETWEEN), two_way: twoWay };
}

function textOf(value: string | string[] | boolean): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
