import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Db, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import type { InvalidError } from "@/lib/errors";
import { refoldSynonyms, synonymsIn } from "@/lib/search/synonyms";
import { synonymLinesIn } from "@/lib/synonyms/synonym-lines";
import {
  addSynonym,
  addSynonyms,
  changeSynonym,
  listSynonyms,
  removeSynonym,
  restoreSynonym,
} from "@/lib/synonyms/synonyms";
import { aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const add = ({ id, actor }: TestWorkspace, term: string, replacements: string[], twoWay?: boolean) =>
  inWorkspace(id, (db) => addSynonym(db, { term, replacements, twoWay }, actor));
const change = ({ id, actor }: TestWorkspace, synonym: string, changes: Parameters<typeof changeSynonym>[2]) =>
  inWorkspace(id, (db) => changeSynonym(db, synonym, changes, actor));
const remove = ({ id, actor }: TestWorkspace, synonym: string) =>
  inWorkspace(id, (db) => removeSynonym(db, synonym, actor));
const list = ({ id }: TestWorkspace, limit = 100, offset = 0) =>
  readWorkspace(id, (read) => listSynonyms(read, { limit, offset }));
const meanings = ({ id }: TestWorkspace, ...runs: string[]) => readWorkspace(id, (read) => synonymsIn(read, runs));
const audit = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read(
      `SELECT action, actor_name AS by, subject_name AS subject, details FROM audit_entries
       WHERE subject_kind = 'synonym' ORDER BY created_at, id`,
    ),
  );
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "It was not refused.",
    (error: InvalidError) => error.fields.map(({ field, code, message }) => `${field} ${code}: ${message}`),
  );

describe("a synonym", () => {
  test("is added, changed and removed, and each is written to the audit log", async () => {
    const workspace = await aWorkspace();
    const added = await add(workspace, "  SSO ", ["Single  sign-on", "single sign on", "login"]);
    const sso = {
      id: added.id,
      term: "SSO",
      replacements: ["Single sign-on", "login"],
      twoWay: true,
      createdAt: added.createdAt,
    };
    expect(added).toEqual(sso);
    expect(await list(workspace)).toEqual({ synonyms: [sso], total: 1 });

    const changes = { replacements: ["login"], twoWay: false };
    expect(await change(workspace, added.id, changes)).toEqual({ ...sso, ...changes });
    await change(workspace, added.id, { term: "sso" });
    await change(workspace, added.id, { term: "sso", ...changes });
    await change(workspace, added.id, {});
    await remove(workspace, added.id);
    expect(await list(workspace)).toEqual({ synonyms: [], total: 0 });
    const entry = { by: workspace.actor.name, subject: "sso" };
    expect(await audit(workspace)).toEqual([
      {
        ...{ action: "synonym.created", by: workspace.actor.name, subject: "SSO" },
        details: { replacements: "Single sign-on\nlogin", two_way: true },
      },
      {
        ...{ action: "synonym.updated", by: workspace.actor.name, subject: "SSO" },
        details: { replacements: "Single sign-on, login → login", twoWay: "true → false" },
      },
      { ...entry, action: "synonym.updated", details: { term: "SSO → sso" } },
      { ...entry, action: "synonym.removed", details: { replacements: "login", two_way: false } },
    ]);
  });

  test("is listed by its term, a page at a time", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    for (const term of ["zebra", "Éclair", "apple", "eclipse"]) await add(workspace, term, [`${term} cake`]);
    await add(other, "foreign", ["strange"]);
    const page = async (limit: number, offset: number) => {
      const { synonyms, total } = await list(workspace, limit, offset);
      return [...synonyms.map(({ term }) => term), total];
    };
    expect(await page(3, 0)).toEqual(["apple", "Éclair", "eclipse", 4]);
    expect(await page(3, 3)).toEqual(["zebra", 4]);
  });

  test("that is of no use is refused, with every reason", async () => {
    const workspace = await aWorkspace();
    const refused = (term: string, ...replacements: string[]) => refusal(add(workspace, term, replacements));
    expect(await refused("  ", "", "x".repeat(101))).toEqual([
      "term required: A term must not be empty.",
      "replacements required: A replacement must not be empty.",
      "replacements too_long: A replacement can have up to 100 characters and 5 words.",
    ]);
    expect(await refused("?!", "one\u001btwo", "one two three four five six")).toEqual([
      'term invalid: A term needs a letter or a digit, but "?!" has none.',
      "replacements invalid: A replacement can't contain control characters.",
      "replacements too_long: A replacement can have up to 100 characters and 5 words.",
    ]);
    expect(await refused("six")).toEqual(["replacements required: Enter at least one replacement."]);
    expect(await refused("Café", "bar", "CAFE!")).toEqual([
      'replacements not_allowed: The term "Café" must not be among its own replacements, even with different case, accents, or punctuation.',
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `other ${index}`);
    expect(await refused("one", ...many(21))).toEqual([
      "replacements too_long: A synonym can have up to 20 replacements. You entered 21.",
    ]);
    expect((await add(workspace, "one two three four five", many(20))).replacements).toHaveLength(20);
    expect((await list(workspace)).total).toBe(1);
  });

  test("has a unique term, even with concurrent additions", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    const tries = await Promise.allSettled(
      ["E-Mail", "e mail", "É Mail"].map((term) => add(workspace, term, ["message"])),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const taken = ['term taken: "e mail" already has a synonym. Add a replacement to it instead.'];
    expect(await refusal(add(workspace, "e mail", ["letter"]))).toEqual(taken);
    const { id } = await add(workspace, "post", ["letter"]);
    expect(await refusal(change(workspace, id, { term: "e mail" }))).toEqual(taken);
    expect(await refusal(change(workspace, id, { term: "Letter" }))).toEqual([
      'replacements not_allowed: The term "Letter" must not be among its own replacements, even with different case, accents, or punctuation.',
    ]);
    await add(other, "e mail", ["message"]);
  });

  test("is limited to 1,000 per workspace, even with concurrent additions", async () => {
    const workspace = await aWorkspace();
    const terms = Array.from({ length: 999 }, (_, index) => `term${index}`);
    await inWorkspace(workspace.id, (db: Db) =>
      db.synonym.createMany({ data: terms.map((term) => ({ term, termFolded: term, replacements: ["x"] })) }),
    );
    const tries = await Promise.all(["one", "two", "three"].map((term) => refusal(add(workspace, term, ["other"]))));
    const full = ["term not_allowed: A workspace can have up to 1,000 synonyms. Delete one first."];
    expect(tries.filter((answer) => answer === "It was not refused.")).toHaveLength(1);
    expect(tries.filter((answer) => answer !== "It was not refused.")).toEqual([full, full]);
    expect((await list(workspace, 1)).total).toBe(1_000);
  });

  test("that is unknown or another workspace's is neither changed nor removed", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    const theirs = await add(other, "theirs", ["of others"]);
    for (const id of [theirs.id, randomUUID(), "zzz"]) {
      const message = "There is no synonym with this ID. List the synonyms to find it.";
      await expect(change(workspace, id, { term: "ours" })).rejects.toThrow(message);
      await expect(remove(workspace, id)).rejects.toThrow(message);
    }
    expect((await list(other)).synonyms).toEqual([theirs]);
  });
});

describe("what the runs of a search mean", () => {
  test("is the replacements of a term, and of a replacement the term and the others", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    await add(workspace, "SSO", ["Single sign-on", "Anmeldung für alle"]);
    await add(workspace, "car", ["Vehicle"], false);
    await add(other, "login", ["foreign"]);
    expect(await meanings(workspace, "help", "sso", "help sso", "login")).toEqual([
      { form: "sso", means: ["single sign on", "anmeldung fur alle"] },
    ]);
    expect(await meanings(workspace, "single sign on", "single sign", "sign")).toEqual([
      { form: "single sign on", means: ["sso", "anmeldung fur alle"] },
    ]);
    expect(await meanings(workspace, "vehicle", "car")).toEqual([{ form: "car", means: ["vehicle"] }]);
    expect(await meanings(workspace, "vehicle", "single", "SSO")).toEqual([]);
    expect(await meanings(workspace)).toEqual([]);
  });

  test("is taken together from all synonyms that speak of it", async () => {
    const workspace = await aWorkspace();
    await add(workspace, "bill", ["invoice", "account"]);
    await add(workspace, "receipt", ["invoice", "bill"]);
    await add(workspace, "invoice", ["statement"], false);
    expect(await meanings(workspace, "statement", "invoice", "bill", "invoice")).toEqual([
      { form: "invoice", means: ["bill", "account", "statement", "receipt"] },
      { form: "bill", means: ["invoice", "account", "receipt"] },
    ]);
  });

  test("follows a change immediately, even in the same transaction", async () => {
    const workspace = await aWorkspace();
    const { id } = await add(workspace, "bill", ["invoice"]);
    const within = await inWorkspace(workspace.id, async (db) => {
      await changeSynonym(db, id, { term: "Rechnung", replacements: ["Beleg"] }, workspace.actor);
      return synonymsIn(readingOf(db), ["bill", "invoice", "rechnung"]);
    });
    expect(within).toEqual([{ form: "rechnung", means: ["beleg"] }]);
    expect(await meanings(workspace, "bill", "beleg")).toEqual([{ form: "beleg", means: ["rechnung"] }]);
    await remove(workspace, id);
    expect(await meanings(workspace, "rechnung", "beleg")).toEqual([]);
  });
});

describe("refolding synonyms", () => {
  test("takes turns with those who add and change them", async () => {
    const workspace = await aWorkspace();
    const [first, second] = [await add(workspace, "bill", ["invoice"]), await add(workspace, "car", ["vehicle"])];
    const refold = () => inWorkspace(workspace.id, refoldSynonyms);
    const { actor } = workspace;
    await whileOpen(workspace.id, (db) => changeSynonym(db, first.id, { replacements: ["Beleg"] }, actor), refold);
    expect(await meanings(workspace, "bill", "car")).toEqual([
      { form: "bill", means: ["beleg"] },
      { form: "car", means: ["vehicle"] },
    ]);
    await whileOpen(workspace.id, (db) => changeSynonym(db, second.id, { term: "Auto" }, actor), refold);
    expect(await meanings(workspace, "auto", "car")).toEqual([{ form: "auto", means: ["vehicle"] }]);
    // The new term keeps a form that the old one would fold into.
    const old = { termFolded: "as it was" };
    await inWorkspace(workspace.id, (db: Db) => db.synonym.updateMany({ where: { id: second.id }, data: old }));
    await whileOpen(workspace.id, (db) => addSynonym(db, { term: "auto", replacements: ["coach"] }, actor), refold);
    expect(await meanings(workspace, "auto", "as it was")).toEqual([
      { form: "auto", means: ["coach"] },
      { form: "as it was", means: ["vehicle"] },
    ]);
    const coach = (await list(workspace)).synonyms.find(({ term }) => term === "auto");
    await remove(workspace, coach?.id ?? "");
    const refused = await whileOpen(workspace.id, refoldSynonyms, () => refusal(add(workspace, "AUTO", ["coach"])));
    expect(refused).toEqual(['term taken: "AUTO" already has a synonym. Add a replacement to it instead.']);
    expect(await meanings(workspace, "auto")).toEqual([{ form: "auto", means: ["vehicle"] }]);
  });
});

describe("the list of synonyms", () => {
  test("is searched by any part of a term or replacement, whatever its case and accents", async () => {
    const workspace = await aWorkspace();
    await add(workspace, "PTO", ["paid leave", "Urlaubstage"]);
    await add(workspace, "Café", ["coffee"]);
    const found = async (search: string) => {
      const { synonyms, total } = await readWorkspace(workspace.id, (read) =>
        listSynonyms(read, { search, limit: 10, offset: 0 }),
      );
      return [...synonyms.map(({ term }) => term), total];
    };
    expect(await found("pto")).toEqual(["PTO", 1]);
    expect(await found("URLAUB")).toEqual(["PTO", 1]);
    expect(await found("cafe")).toEqual(["Café", 1]);
    expect(await found("f")).toEqual(["Café", 1]);
    expect(await found("leave urlaub")).toEqual([0]);
    expect(await found("?!")).toEqual([0]);
    expect(await found("  ")).toEqual(["Café", "PTO", 2]);
  });

  test("takes a removed one back with all that it said, unless its term has one again", async () => {
    const workspace = await aWorkspace();
    const added = await add(workspace, "a, b", ["c, d", "e"], false);
    await remove(workspace, added.id);
    const restore = () => inWorkspace(workspace.id, (db) => restoreSynonym(db, added.id, workspace.actor));
    expect(await restore()).toEqual(added);
    await expect(restore()).rejects.toThrow("Nothing to restore.");
    await remove(workspace, added.id);
    await add(workspace, "A, B", ["f"], false);
    expect(await refusal(restore())).toEqual([
      'term taken: "a, b" already has a synonym. Add a replacement to it instead.',
    ]);
    const other = await aWorkspace();
    await expect(inWorkspace(other.id, (db) => restoreSynonym(db, added.id, other.actor))).rejects.toThrow(
      "Nothing to restore.",
    );
  });
});

describe("a pasted list", () => {
  test("is read line by line, both ways by =, one way by >", () => {
    const pasted = "sign in = log in, sign on\r\n\n  pto > vacation > leave \nno sign\na = b > c\nempty =";
    expect(synonymLinesIn(pasted)).toEqual([
      {
        text: "sign in = log in, sign on",
        synonym: { term: "sign in ", replacements: [" log in", " sign on"], twoWay: true },
      },
      {
        text: "pto > vacation > leave",
        synonym: { term: "pto ", replacements: [" vacation ", " leave"], twoWay: false },
      },
      { text: "no sign", synonym: null },
      { text: "a = b > c", synonym: null },
      { text: "empty =", synonym: { term: "empty ", replacements: [], twoWay: true } },
    ]);
  });

  test("adds what it can in one step, and says of each other one why not", async () => {
    const workspace = await aWorkspace();
    await add(workspace, "SSO", ["login"]);
    const inputs = [
      { term: "pto", replacements: ["vacation"], twoWay: false },
      { term: "sso", replacements: ["single sign-on"] },
      { term: "PTO", replacements: ["leave"] },
      { term: "one two three four five six", replacements: [] },
      { term: "sign in", replacements: ["log in"] },
    ];
    const answers = await inWorkspace(workspace.id, (db) => addSynonyms(db, inputs, workspace.actor));
    expect(answers.map((fields) => fields?.map(({ field, code }) => `${field} ${code}`))).toEqual([
      undefined,
      ["term taken"],
      ["term taken"],
      ["term too_long", "replacements required"],
      undefined,
    ]);
    const { synonyms } = await list(workspace);
    expect(synonyms.map(({ term, replacements, twoWay }) => [term, replacements, twoWay])).toEqual([
      ["pto", ["vacation"], false],
      ["sign in", ["log in"], true],
      ["SSO", ["login"], true],
    ]);
    expect(await meanings(workspace, "pto", "vacation", "log in")).toEqual([
      { form: "pto", means: ["vacation"] },
      { form: "log in", means: ["sign in"] },
    ]);
    expect((await audit(workspace)).map((entry: any) => entry.subject).sort()).toEqual(["SSO", "pto", "sign in"]);
  });

  test("fills a workspace up to the most it may have, and no further", async () => {
    const workspace = await aWorkspace();
    const many = Array.from({ length: 1_001 }, (_, index) => ({ term: `t${index}`, replacements: [`r${index}`] }));
    const answers = await inWorkspace(workspace.id, (db) => addSynonyms(db, many, workspace.actor));
    expect(answers.filter((fields) => fields !== null)).toHaveLength(1);
    expect(answers.at(-1)?.[0]?.message).toBe("A workspace can have up to 1,000 synonyms. Delete one first.");
    expect((await list(workspace, 1)).total).toBe(1_000);
  });
});
