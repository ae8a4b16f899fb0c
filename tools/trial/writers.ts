import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright";
import { submitSignIn } from "@/e2e/kit";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { createDraft } from "@/lib/articles/drafts";
import { createCategory } from "@/lib/categories/changes";
import { inWorkspace, readWorkspace } from "@/lib/db";

// Many writers of one article: programs that send revisions, and people in browsers.

export interface Place {
  browser: Browser;
  workspace: { id: string; url: string; memberId: string };
  members: readonly { email: string; password: string }[];
}

export interface Outcome {
  accepted: number;
  refused: number;
  /** Acknowledged texts of people, and texts that they chose between. */
  saved: number;
  conflicts: number;
  lost: string[];
  strange: string[];
}

const actor = { kind: "system", id: null, name: "Trial" } as const;
/** Programs write about once a second together, so that people get a chance to save. */
const PROGRAM_MS = 20_000;
const PERSON_MS = 2_000;

interface Answer {
  status: number;
  body: { revision?: number; current?: { revision: number } };
}

/** A word that no other text has. */
const mark = (name: string, number: number) => `x${name}n${number}x`;

/**
 * Has programs and people write one article for some time. Every accepted text must have been in the draft or in a version.
 * @param tell receives a line every ten seconds
 */
export async function tryTogether(
  { browser, workspace, members }: Place,
  { programs, minutes, tell }: { programs: number; minutes: number; tell: (line: string) => void },
): Promise<Outcome> {
  const outcome: Outcome = { accepted: 0, refused: 0, saved: 0, conflicts: 0, lost: [], strange: [] };
  const { id } = await inWorkspace(workspace.id, async (db) => {
    await createCategory(db, { name: "Trial" }, actor);
    return createDraft(db, { title: "Together", authorId: workspace.memberId }, actor);
  });
  const until = Date.now() + minutes * 60_000;
  const isOver = () => Date.now() > until;
  /** Accepted texts that were not yet found, and when they were accepted. */
  const wanted = new Map<string, number>();

  const agent = new Agent({ keepAlive: true });
  const { port, host } = new URL(workspace.url);
  const program = async (number: number): Promise<void> => {
    const input = { name: `Program ${number}`, scopes: ["content.draft" as const], createdBy: workspace.memberId };
    const key = await inWorkspace(workspace.id, (db) => createApiKey(db, input, actor));
    const send = (method: string, path: string, body?: object) =>
      new Promise<Answer>((resolve, reject) => {
        const headers = { host, "x-api-key": key.text, "content-type": "application/json" };
        const target = {
          host: "127.0.0.1",
          port,
          path: `/api/external/v2/articles/${id}${path}`,
          method,
          headers,
          agent,
        };
        const sent = request(target, (response) => {
          const answer = async () => ({
            status: response.statusCode ?? 0,
            body: JSON.parse(await text(response)) as Answer["body"],
          });
          answer().then(resolve, reject);
        });
        sent.on("error", reject).end(body && JSON.stringify(body));
      });
    let revision: number | undefined;
    for (let turn = 0; !isOver(); turn++) {
      await sleep(2 * PROGRAM_MS * Math.random());
      if (revision === undefined) revision = (await send("GET", "/draft")).body.revision;
      const word = mark(`p${number}`, turn);
      const { status, body } = await send("PATCH", "", { html_content: `<p>${word}</p>`, revision });
      if (status === 200) {
        outcome.accepted++;
        wanted.set(word, Date.now());
        revision = body.revision;
      } else if (status === 412) {
        outcome.refused++;
        if (!((body.current?.revision ?? 0) > (revision ?? 0)))
          outcome.strange.push(`412 without a newer revision: ${JSON.stringify(body)}`);
        revision = undefined;
      } else {
        if (status !== 409 && status !== 503) outcome.strange.push(`${status}: ${JSON.stringify(body).slice(0, 300)}`);
        revision = undefined;
      }
    }
  };

  const person = async (number: number): Promise<void> => {
    const { email, password } = members[number]!;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${workspace.url}/admin/sign-in`);
    await submitSignIn(page, email, password);
    await page.waitForURL(`${workspace.url}/admin`);
    page.on("response", (response) => {
      if (response.request().method() !== "PUT" || !response.url().includes("/api/drafts/")) return;
      const { text: sent } = response.request().postDataJSON() as { text: { html: string } };
      if (!response.ok()) return;
      outcome.saved++;
      for (const word of sent.html.match(/xb\d+n\d+x/g)?.slice(-1) ?? []) wanted.set(word, Date.now());
    });
    await page.goto(`${workspace.url}/admin/articles/${id}`);
    const editor = page.getByRole("textbox", { name: "Article", exact: true });
    await editor.waitFor();
    for (let turn = 0; !isOver(); turn++) {
      if (await choose(page)) outcome.conflicts++;
      else {
        await editor.focus();
        await page.keyboard.press("ControlOrMeta+End");
        await page.keyboard.type(` ${mark(`b${number}`, turn)}`);
      }
      await sleep(PERSON_MS);
    }
    await context.close();
  };
  /** Chooses a text where both were edited. @returns whether there was a choice */
  const choose = async (page: Page): Promise<boolean> => {
    const name = Math.random() < 0.5 ? "Keep mine" : "Use theirs";
    const button = page.getByRole("button", { name });
    if (!(await button.isVisible())) return false;
    await button.click({ timeout: 2_000 }).catch(() => null);
    return true;
  };

  /** Looks often: of a member's versions, the newest fifty are kept. */
  const watch = async (): Promise<void> => {
    let said = Date.now();
    while (!isOver()) {
      await find();
      if (Date.now() - said > 10_000) {
        said = Date.now();
        const { accepted, refused, saved, conflicts } = outcome;
        tell(
          `${accepted} accepted, ${refused} refused, ${saved} saved by people, ${conflicts} conflicts, ${wanted.size} not found yet`,
        );
      }
      await sleep(500);
    }
  };
  const find = async () => {
    const rows = await readWorkspace(workspace.id, (read) =>
      read<{ html: string }>(
        `SELECT html FROM article_versions WHERE article_id = $1 AND created_at > now() - interval '1 minute'
         UNION ALL SELECT html FROM article_drafts WHERE id = $1`,
        [id],
      ),
    );
    const there = rows.map(({ html }) => html).join("\n");
    for (const word of wanted.keys()) if (there.includes(word)) wanted.delete(word);
  };

  await Promise.all([
    ...Array.from({ length: programs }, (_, number) => program(number)),
    ...members.map((_, number) => person(number)),
    watch(),
  ]);
  await find();
  outcome.lost = [...wanted.keys()];
  agent.destroy();
  return outcome;
}
