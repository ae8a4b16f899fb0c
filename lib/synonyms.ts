import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, findRemoved, recordAudit, recordAudits } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { LONGEST_SYNONYM, synonymForm } from "@/lib/search/synonyms";
import { unlessTaken } from "@/lib/taken";

/** What else a word, or a few words, mean in a workspace. */
export interface Synonym {
  id: string;
  term: string;
  /** What a search for the term finds as well, in the order they were given. */
  replacements: string[];
  /** Whether a search for a replacement finds the term and the other replacements, too. */
  twoWay: boolean;
  createdAt: Date;
}

/** What of a synonym is said by whoever adds it. */
export interface GivenSynonym {
  term: string;
  replacements: readonly string[];
  /** True when absent. */
  twoWay?: boolean;
}

const MOST_CHARACTERS = 100;
const MOST_REPLACEMENTS = 20;
/** The most synonyms of a workspace: every search looks through them. */
const MOST_SYNONYMS = 1_000;

const columns = `id, term, replacements, two_way AS "twoWay", created_at AS "createdAt"`;

/**
 * Synonyms in the order of their terms.
 * @param search only those that have it in their term or in a replacement, whatever its case, accents and punctuation
 * @returns one page, and the number of all that fit
 */
export async function listSynonyms(
  read: Read,
  { search = "", limit, offset }: { search?: string; limit: number; offset: number },
): Promise<{ synonyms: Synonym[]; total: number }> {
  const fits = `($1 = '' OR strpos(term_folded, $1) > 0 OR strpos(array_to_string(replacements_folded, E'\\n'), $1) > 0)`;
  const form = synonymForm(search);
  // What has no letter or digit is in no synonym.
  if (search.trim() !== "" && form === "") return { synonyms: [], total: 0 };
  const synonyms = await read<Synonym>(
    `SELECT ${columns} FROM synonyms WHERE ${fits} ORDER BY term_folded COLLATE "und-x-icu", id LIMIT $2 OFFSET $3`,
    [form, limit, offset],
  );
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM synonyms WHERE ${fits}`, [form]);
  return { synonyms, total: count?.total ?? 0 };
}

/** The synonym with this id, or null. */
export async function findSynonym(read: Read, id: string): Promise<Synonym | null> {
  const [synonym] = await read<Synonym>(`SELECT ${columns} FROM synonyms WHERE id = $1::uuid`, [id]);
  return synonym ?? null;
}

/**
 * Adds a synonym. Replacements that differ only in case, accents or punctuation are one, as it was given first.
 * @throws InvalidError naming every field that cannot be: a term or replacement without a letter or digit, of more than
 *   100 characters or 5 words, the term among its own replacements, none or more than 20 of them; a term that has a
 *   synonym; a workspace that has 1,000
 */
export async function addSynonym(db: Db, given: GivenSynonym, actor: Actor): Promise<Synonym> {
  const row = rowOf(given);
  // Until the transaction ends nobody else adds one: of two who add the last that may be, one sees the other's.
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  if ((await db.synonym.count()) >= MOST_SYNONYMS) throw new InvalidError([tooMany]);
  const { id } = await unlessTaken(
    () => termTaken(row.term),
    () => db.synonym.create({ data: row, select: { id: true } }),
  );
  const synonym = await lockSynonym(db, id);
  await recordAudit(db, actor, "synonym.created", subjectOf(synonym), detailsOf(synonym));
  return synonym;
}

/**
 * Adds those of many synonyms that can be, all in one step.
 * @returns for each in its order null, or why it was not added
 */
export async function addSynonyms(
  db: Db,
  given: readonly GivenSynonym[],
  actor: Actor,
): Promise<(InvalidField[] | null)[]> {
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  const present = await db.synonym.findMany({ select: { termFolded: true } });
  const forms = new Set(present.map(({ termFolded }) => termFolded));
  const rows: (ReturnType<typeof rowOf> & { id: string })[] = [];
  const refusals = given.map((one) => {
    try {
      const row = rowOf(one);
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
 * Changes a synonym; what is absent stays.
 * @throws InvalidError as of addSynonym
 * @throws NotFoundError when there is no such synonym
 */
export async function changeSynonym(
  db: Db,
  id: string,
  changes: { term?: string; replacements?: readonly string[]; twoWay?: boolean },
  actor: Actor,
): Promise<Synonym> {
  const before = await lockSynonym(db, id);
  const row = rowOf({ ...before, ...changes });
  await unlessTaken(
    () => termTaken(row.term),
    () => db.synonym.updateMany({ where: { id }, data: row }),
  );
  const after = await lockSynonym(db, id);
  const changed = (["term", "replacements", "twoWay"] as const).filter(
    (name) => told(before[name]) !== told(after[name]),
  );
  if (changed.length === 0) return after;
  const details = Object.fromEntries(changed.map((name) => [name, `${told(before[name])} → ${told(after[name])}`]));
  await recordAudit(db, actor, "synonym.updated", subjectOf(after), details);
  return after;
}

/**
 * Removes a synonym: the next search no longer knows it.
 * @throws NotFoundError when there is no such synonym
 */
export async function removeSynonym(db: Db, id: string, actor: Actor): Promise<void> {
  const synonym = await lockSynonym(db, id);
  await db.synonym.deleteMany({ where: { id } });
  await recordAudit(db, actor, "synonym.removed", subjectOf(synonym), detailsOf(synonym));
}

/** The term of a synonym that was removed within the last day, or null. */
export async function findRemovedSynonym(read: Read, id: string): Promise<string | null> {
  return (await findRemoved(read, "synonym.removed", id))?.name ?? null;
}

/**
 * Brings back a synonym that was removed within the last day.
 * @throws InvalidError as of addSynonym: its term may have a synonym again
 * @throws NotFoundError when it was not
 */
export async function restoreSynonym(db: Db, id: string, actor: Actor): Promise<Synonym> {
  const removed = await findRemoved(readingOf(db), "synonym.removed", id);
  if (!removed) throw new NotFoundError("No such synonym was removed today.");
  const { replacements, two_way } = removed.details;
  return addSynonym(
    db,
    { term: removed.name, replacements: String(replacements).split(BETWEEN), twoWay: two_way === true },
    actor,
  );
}

/** A synonym as its row has it, checked. */
function rowOf(given: GivenSynonym) {
  const clean = (text: string) => text.normalize("NFC").trim().replace(/\s+/g, " ");
  const term = clean(given.term);
  const termFolded = synonymForm(term);
  const byForm = new Map<string, string>();
  for (const text of given.replacements.map(clean))
    if (!byForm.has(synonymForm(text))) byForm.set(synonymForm(text), text);

  const invalid: InvalidField[] = [];
  const add = (field: keyof GivenSynonym, code: InvalidField["code"], message: string) =>
    invalid.push({ field, code, message });
  const check = (field: keyof GivenSynonym, label: string, text: string, form: string) => {
    if (text === "") add(field, "required", `${label} must not be empty.`);
    else if (/[\p{Cc}\p{Cs}]/u.test(text)) add(field, "invalid", `${label} must not contain control characters.`);
    else if (text.length > MOST_CHARACTERS || form.split(" ").length > LONGEST_SYNONYM) {
      add(field, "too_long", `${label} has at most ${MOST_CHARACTERS} characters and ${LONGEST_SYNONYM} words.`);
    } else if (form === "") add(field, "invalid", `${label} needs a letter or a digit, and "${text}" has none.`);
  };
  check("term", "A term", term, termFolded);
  for (const [form, text] of byForm) check("replacements", "A replacement", text, form);
  if (byForm.size === 0) add("replacements", "required", "A synonym needs a replacement: what its term also means.");
  if (byForm.size > MOST_REPLACEMENTS) {
    const message = `A synonym has at most ${MOST_REPLACEMENTS} replacements, and these are ${byForm.size}.`;
    add("replacements", "too_long", message);
  }
  if (termFolded !== "" && byForm.has(termFolded)) {
    const message = `The term "${term}" must not be among its own replacements, whatever its case, accents and punctuation.`;
    add("replacements", "not_allowed", message);
  }
  if (invalid.length > 0) throw new InvalidError(invalid);
  return {
    term,
    termFolded,
    replacements: [...byForm.values()],
    replacementsFolded: [...byForm.keys()],
    twoWay: given.twoWay ?? true,
  };
}

/** A synonym that nobody else can change until the transaction ends. */
async function lockSynonym(db: Db, id: string): Promise<Synonym> {
  const [synonym] = z.guid().safeParse(id).success
    ? await readingOf(db)<Synonym>(`SELECT ${columns} FROM synonyms WHERE id = $1::uuid FOR UPDATE`, [id])
    : [];
  if (!synonym) throw new NotFoundError("There is no synonym with this id: list the synonyms for theirs.");
  return synonym;
}

function termTaken(term: string): InvalidError {
  const message = `There is a synonym for "${term}" already: give that one another replacement.`;
  return new InvalidError([{ field: "term", code: "taken", message }]);
}

const tooMany: InvalidField = {
  field: "term",
  code: "not_allowed",
  message: `A workspace has at most ${MOST_SYNONYMS.toLocaleString("en")} synonyms: remove one that nobody needs first.`,
};

function subjectOf({ id, term }: Pick<Synonym, "id" | "term">): { kind: string; id: string; name: string } {
  return { kind: "synonym", id, name: term };
}

/** What stands between replacements where they are told: no replacement holds it. */
const BETWEEN = "\n";

/** All that is said of a synonym, so that it can be brought back from it. */
function detailsOf({ replacements, twoWay }: Pick<Synonym, "replacements" | "twoWay">) {
  return { replacements: replacements.join(BETWEEN), two_way: twoWay };
}

/** A value as an audit entry tells it. */
function told(value: string | string[] | boolean): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
