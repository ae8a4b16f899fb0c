import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import type { AuditEntry } from "@/lib/audit/audit-log";
import { actionName, hasWords, sentenceOf } from "./_words";

const ada = { kind: "member", id: "1", name: "ada@example.com", person: "Ada Lovelace" } as const;
const grace = { kind: "member", id: "2", name: "grace@example.com", person: "Grace Hopper", there: true };

function sentence(
  action: string,
  subject: Partial<AuditEntry["subject"]> = grace,
  details: AuditEntry["details"] = {},
  actor: AuditEntry["actor"] = ada,
): string {
  const whole = { kind: action.split(".")[0] ?? "", id: "3", name: "It", person: null, there: true, ...subject };
  return sentenceOf({ id: "0", at: new Date(), actor, action, subject: whole, details, ip: null, requestId: null });
}

test("a change of a member is told by what was changed, and whose it was", () => {
  expect(sentence("member.updated", grace, { role: "Editor → Admin" })).toBe(
    "Ada Lovelace changed the role of Grace Hopper from Editor to Admin",
  );
  expect(sentence("member.updated", grace, { active: "true → false" })).toBe("Ada Lovelace deactivated Grace Hopper");
  expect(sentence("member.updated", grace, { active: "false → true" })).toBe("Ada Lovelace reactivated Grace Hopper");
  const self = { ...grace, id: "1", person: "Ada Lovelace" };
  expect(sentence("member.updated", self, { timeZone: "UTC → Europe/Berlin" })).toBe(
    "Ada Lovelace changed their own time zone from UTC to Europe/Berlin",
  );
  expect(sentence("member.updated", self, { firstName: "A → B", lastName: "C → D" })).toBe(
    "Ada Lovelace changed their own first name and last name",
  );
  expect(sentence("member.updated", { ...grace, person: null }, { email: "g@example.com → grace@example.com" })).toBe(
    "Ada Lovelace changed the email of grace@example.com from g@example.com to grace@example.com",
  );
});

test("one entry stands for a bulk action, and says from where to where", () => {
  const many = (action: string, details: AuditEntry["details"]) =>
    sentence(action, { kind: "article", name: "452 articles" }, { articles: 452, ...details });
  expect(many("articles.moved", { from: "Setup", to: "Guides" })).toBe(
    "Ada Lovelace moved 452 articles from Setup to Guides",
  );
  expect(many("articles.undone", { from: "3 categories", to: "Guides", undoes: "moved" })).toBe(
    "Ada Lovelace undid moving 452 articles from 3 categories to Guides",
  );
  expect(many("articles.tagged", { tag: "Urgent" })).toBe("Ada Lovelace added the tag “Urgent” to 452 articles");
  expect(many("articles.undone", { tag: "Urgent", undoes: "tagged" })).toBe(
    "Ada Lovelace undid tagging 452 articles “Urgent”",
  );
  expect(many("articles.published", {})).toBe("Ada Lovelace published 452 articles");
  expect(many("articles.restored", { undoes: "deleted" })).toBe("Ada Lovelace restored 452 articles");
  const one = { kind: "article", name: "Refunds" };
  expect(sentence("articles.moved", one, { articles: 1, from: "Setup", to: "Guides" })).toBe(
    "Ada Lovelace moved the article “Refunds” from Setup to Guides",
  );
});

test("who is no member is named by what it is", () => {
  const key = { kind: "api_key", id: "9", name: "Website", person: null } as const;
  expect(sentence("member.created", grace, { role: "Editor" }, key)).toBe(
    "The API key “Website” added Grace Hopper as Editor",
  );
  const line = { kind: "command_line", id: null, name: "Command line", person: null } as const;
  expect(sentence("api_key.revoked", {}, {}, line)).toBe("Someone at the command line revoked the API key “It”");
});

test("redirects, synonyms, imports and exports say what they are about", () => {
  const old = { name: "/old" };
  expect(sentence("redirect.created", old, { leads_to: "/articles/a" })).toBe(
    "Ada Lovelace added a redirect from /old to /articles/a",
  );
  expect(sentence("redirect.updated", old, { leads_to: "gone → /articles/a" })).toBe(
    "Ada Lovelace changed the redirect from /old from gone to /articles/a",
  );
  expect(sentence("synonym.removed", {})).toBe("Ada Lovelace removed the synonym “It”");
  expect(sentence("articles.imported", { kind: "workspace" }, { created: 3, updated: 2 })).toBe(
    "Ada Lovelace imported articles: 3 new, 2 changed",
  );
  expect(
    ["import.started", "import.cancelled", "export.cancelled", "workspace.exported"].map((action) =>
      sentence(action, { name: "docs.zip" }),
    ),
  ).toEqual([
    "Ada Lovelace started the import of “docs.zip”",
    "Ada Lovelace canceled the import of “docs.zip”",
    "Ada Lovelace canceled the export “docs.zip”",
    "Ada Lovelace exported the knowledge base",
  ]);
});

test("what has no words of its own yet is told all the same", () => {
  expect(sentence("sitemap_entry.sent_again", { kind: "sitemap_entry" })).toBe(
    "Ada Lovelace sent again the sitemap entry “It”",
  );
  expect(sentence("member.signed_in", { ...grace, id: "1" })).toBe("Ada Lovelace signed in");
  expect(sentence("odd")).toContain("odd");
  expect([actionName("api_key.sent_again"), actionName("member.updated"), actionName("odd")]).toEqual([
    "API key: sent again",
    "Member: updated",
    "Odd: ",
  ]);
});

test("categories, keys, sessions and the workspace say what became of them", () => {
  expect(sentence("category.moved", {}, { parent: "the top → Work", place: 1 })).toBe(
    "Ada Lovelace moved the category “It” from the top to Work",
  );
  expect(sentence("category.moved", {}, { place: 1 })).toBe("Ada Lovelace moved the category “It” within its level");
  expect(sentence("category.updated", {}, { name: "Old → New", slug: "old → new" })).toBe(
    "Ada Lovelace renamed the category from Old to New",
  );
  expect(sentence("category.updated", {}, { slug: "old → new", visibility: "inherit → members" })).toBe(
    "Ada Lovelace changed the slug and visibility of the category “It”",
  );
  expect(sentence("category.merged", {}, { into: "Work" })).toBe("Ada Lovelace merged the category “It” into “Work”");
  expect(sentence("session.started", { name: "Firefox on Linux" })).toBe(
    "Ada Lovelace signed in with Firefox on Linux",
  );
  expect(sentence("workspace.updated", {}, { timeZone: "UTC → Europe/Berlin" })).toBe(
    "Ada Lovelace changed the time zone of the knowledge base from UTC to Europe/Berlin",
  );
  expect(sentence("workspace.updated", {}, { logo: "harbour.png" })).toBe(
    "Ada Lovelace changed the logo of the knowledge base",
  );
  expect(sentence("workspace.updated", {}, { name: "A → B", language: "en → de" })).toBe(
    "Ada Lovelace changed the name and language of the knowledge base",
  );
  expect(sentence("workspace.updated", {}, { searchLogEnabled: "false → true" })).toBe(
    "Ada Lovelace turned on the search log",
  );
  expect(sentence("workspace.updated", {}, { visibility: "everyone → members", feedbackEnabled: "true → false" })).toBe(
    "Ada Lovelace made the knowledge base members-only and turned off feedback",
  );
  expect(sentence("workspace.updated", {}, { twoStepRule: "administrators → everyone" })).toBe(
    "Ada Lovelace required two-step verification for everyone",
  );
  expect(sentence("workspace.updated", {}, { accentColor: "none → #123456" })).toBe(
    "Ada Lovelace changed the color of the knowledge base from none to #123456",
  );
  expect(sentence("redirect.created", { name: "/old" }, { leads_to: "gone" })).toBe(
    "Ada Lovelace marked /old as removed",
  );
});

/** Actions whose names are composed, by the code that composes them. */
const composed: Record<string, string[]> = {
  ["`articles.${action}`"]: [
    ...["articles.published", "articles.unpublished", "articles.moved", "articles.tagged", "articles.deleted"],
    ...["articles.undone", "articles.restored"],
  ],
  ["`category.${as}`"]: ["category.deleted", "category.merged"],
  ['on ? "webhook.switched_on" : "webhook.switched_off"']: ["webhook.switched_on", "webhook.switched_off"],
  ["`${kind}.cancelled`"]: ["import.cancelled", "export.cancelled"],
};

/** All recorded actions: the third arguments of recordAudit and recordAudits. */
function recordedActions(): string[] {
  const actions = new Set<string>();
  for (const folder of ["app", "bin", "lib", "server"]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || /\.test\.|^generated|^audit\/audit\.ts$/.test(name)) continue;
      const source = readFileSync(join(folder, name), "utf8");
      if (!source.includes("recordAudit")) continue;
      const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest);
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && /^recordAudits?$/.test(node.expression.getText(file))) {
          const action = node.arguments[2];
          if (action && ts.isStringLiteral(action)) actions.add(action.text);
          else
            for (const one of composed[action?.getText(file) ?? ""] ?? [`${name}: ${action?.getText(file)}`])
              actions.add(one);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  }
  return [...actions];
}

test("every action that the code records has words of its own", () => {
  const recorded = recordedActions();
  expect(recorded).toEqual(expect.arrayContaining(["member.updated", "session.started", "category.merged"]));
  expect(recorded.filter((name) => !hasWords(name))).toEqual([]);
});
