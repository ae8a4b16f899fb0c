import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright/test";
import { wordsOf } from "@/components/admin/writing/words";
import { createDraft } from "@/lib/articles/drafts";
import { createCategory } from "@/lib/categories/changes";
import { inWorkspace } from "@/lib/db";
import { freePort, startServer } from "@/testing/server";
import { crash, loseAnswers } from "./kit";

// Checks in a real browser whether writing loses anything while the tab, the server or the network fails, while the
// page reloads, or in two tabs. Acknowledged text must be stored. All other text must be stored or come back. `npm run
// trial` does many rounds, e2e/trial.spec.ts a few.

/** The kinds of failures. */
export const KINDS = ["tab", "server", "network", "two tabs", "reload"] as const;
export type Kind = (typeof KINDS)[number];

export interface Place {
  browser: Browser;
  /** A member who may write. */
  workspace: { id: string; url: string; memberId: string };
  /** Signs the member in, in a separate window. */
  signIn: (page: Page) => Promise<void>;
  /** The server at the workspace's URL. */
  server: { kill: () => Promise<void>; start: () => Promise<void> };
}

export interface Outcome {
  rounds: Record<Kind, number>;
  /** Typed characters, and how many of them the server had acknowledged when something ended. */
  typed: number;
  acknowledged: number;
  /** How often text came back automatically, how often it was offered, and how often there was a choice of two texts. */
  returned: number;
  offered: number;
  conflicts: number;
  /** Lost characters. */
  lost: number;
  /** Descriptions of the losses. */
  losses: string[];
}

/** When something counts as missing, in milliseconds. */
const PATIENCE_MS = 45_000;

/** Waits for a condition. @returns whether it became true in time */
async function until(isSo: () => Promise<boolean>, patience = PATIENCE_MS): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) if (await isSo()) return true;
  return isSo();
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function drawn(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Runs this many rounds, each kind in turn.
 * @param seed decides the typed text, and when something ends
 * @param tell receives each finished round
 */
export async function tryWriting(
  place: Place,
  { rounds, seed, tell = () => {} }: { rounds: number; seed: number; tell?: (line: string) => void },
): Promise<Outcome> {
  const outcome: Outcome = {
    rounds: { tab: 0, server: 0, network: 0, "two tabs": 0, reload: 0 },
    ...{ typed: 0, acknowledged: 0, returned: 0, offered: 0, conflicts: 0, lost: 0, losses: [] },
  };
  await inWorkspace(place.workspace.id, (db) => createCategory(db, { name: "Trial" }, actor));
  const context = await place.browser.newContext();
  try {
    const page = await context.newPage();
    await place.signIn(page);
    await page.close();
    for (let index = 0; index < rounds; index++) {
      const kind = KINDS[index % KINDS.length] as Kind;
      const round = new Round(place, context, outcome, drawn(seed * 1_000_003 + index), index);
      const start = Date.now();
      try {
        await round[kind]();
      } catch (error) {
        throw new Error(`Round ${index} of seed ${seed} (${kind}) came to no end.`, { cause: error });
      } finally {
        await round.close();
      }
      outcome.rounds[kind]++;
      const { typed, lost } = outcome;
      tell(`${index + 1} of ${rounds}, ${kind}, ${Date.now() - start} ms: ${typed} characters typed, ${lost} lost`);
    }
  } finally {
    await context.close();
  }
  return outcome;
}

const actor = { kind: "system", id: null, name: "Trial" } as const;
const inOneLine = (html: string) => wordsOf(html).replace(/\s+/g, "");

/** One article, and the failures while it is edited. */
class Round {
  private id = "";
  private readonly pages: Page[] = [];

  constructor(
    private readonly place: Place,
    private readonly context: BrowserContext,
    private readonly outcome: Outcome,
    private readonly draw: () => number,
    private readonly index: number,
  ) {}

  /** The tab crashes. */
  async tab(): Promise<void> {
    const writer = await this.begin();
    await this.typeWhile(writer, () => crash(writer.page));
    await this.holdAcknowledged([writer]);
    await this.takeUp(writer.typed);
  }

  /** The server ends and comes back. In half of the rounds, the tab also crashes. */
  async server(): Promise<void> {
    const writer = await this.begin();
    await this.typeWhile(writer, () => this.place.server.kill());
    await this.holdAcknowledged([writer]);
    await writer.type(this.words(10));
    const isCrashed = this.draw() < 0.5;
    if (isCrashed) await crash(writer.page);
    await this.place.server.start();
    if (isCrashed) await this.takeUp(writer.typed);
    else await this.goOn(writer);
  }

  /** The network is cut, or only answers are lost. In a third of the rounds, the tab is also closed. */
  async network(): Promise<void> {
    const writer = await this.begin();
    const way = Math.floor(this.draw() * 3);
    let arrive = async () => {};
    await this.typeWhile(writer, async () => {
      if (way > 0) return this.context.setOffline(true);
      arrive = await loseAnswers(writer.page, "*/api/drafts/*");
    });
    await writer.type(this.words(10));
    await this.holdAcknowledged([writer]);
    if (way === 0) {
      // Long enough that some of it arrives.
      await sleep(this.draw() * 2_500);
      await arrive();
      await writer.type(this.words(10));
    }
    if (way === 1) await writer.page.close();
    await this.context.setOffline(false);
    if (way === 1) await this.takeUp(writer.typed);
    else await this.goOn(writer);
  }

  /** The same member writes in two tabs, and each time chooses from both texts. */
  async "two tabs"(): Promise<void> {
    const writers = [await this.begin(), await this.open()];
    const kept: string[] = [];
    for (let turn = 0; turn < 2; turn++) {
      await Promise.all(writers.map((writer) => this.typeWhile(writer, async () => {})));
      await this.holdAcknowledged(writers);
      for (const writer of writers) kept.push(...(await this.settle(writer)));
    }
    const there = await this.texts();
    for (const text of kept) this.hold(text, there, "a text of two tabs");
  }

  /** The page reloads during or just after a save. The typed text is there, and typing continues. */
  async reload(): Promise<void> {
    const writer = await this.begin();
    for (let turn = 0; turn < 3; turn++) {
      await this.typeWhile(writer, async () => {
        await sleep(this.draw() ** 3 * 2_000);
        await writer.page.reload();
      });
      await this.holdAcknowledged([writer]);
      const shown = async () => inOneLine(await writer.text.innerHTML().catch(() => ""));
      const isThere = await until(async () => (await shown()) === writer.typed);
      const isOffered = !isThere && (await writer.offer.isVisible());
      const said = `what was typed before the page was loaded again${isOffered ? ", which is offered" : ""}`;
      this.hold(writer.typed, [await shown()], said);
      if (await writer.returned.isVisible()) this.outcome.returned++;
    }
    await writer.type(this.words(10));
    await this.goOn(writer);
  }

  /** Closes everything before the next round. */
  async close(): Promise<void> {
    await this.context.setOffline(false);
    for (const page of this.pages) await page.close();
  }

  private async begin(): Promise<Writer> {
    const { id: workspaceId, memberId } = this.place.workspace;
    const made = await inWorkspace(workspaceId, (db) =>
      createDraft(db, { title: `Trial ${this.index}`, authorId: memberId }, actor),
    );
    this.id = made.id;
    return this.open();
  }

  private async open(): Promise<Writer> {
    const page = await this.context.newPage();
    this.pages.push(page);
    const writer = new Writer(page);
    await page.goto(`${this.place.workspace.url}/admin/articles/${this.id}`);
    await writer.text.waitFor();
    return writer;
  }

  /** Types with pauses, and some pauses trigger a save. `happens` runs at some moment, and then typing stops. */
  private async typeWhile(writer: Writer, happens: () => Promise<void>): Promise<void> {
    const parts = 2 + Math.floor(this.draw() * 3);
    for (let part = 0; part < parts; part++) {
      await writer.type(this.words(5 + this.draw() * 20));
      await sleep(this.draw() ** 2 * 2_500);
    }
    await writer.type(this.words(3 + this.draw() * 10));
    await happens();
  }

  /** This many letters, in words. */
  private words(length: number): string {
    return Array.from({ length }, () => {
      const drawn = this.draw();
      return drawn < 0.15 ? " " : String.fromCharCode(97 + Math.floor(drawn * 26));
    }).join("");
  }

  /** Acknowledged text is in the draft or in a version. */
  private async holdAcknowledged(writers: Writer[]): Promise<void> {
    const there = await this.texts();
    for (const { acknowledged } of writers) {
      this.outcome.acknowledged += acknowledged.length;
      this.hold(acknowledged, there, "what was acknowledged");
    }
    for (const writer of writers) {
      this.outcome.typed += writer.counted();
    }
  }

  /** Opens the article again, and checks that the typed text is there or is offered. */
  private async takeUp(typed: string): Promise<void> {
    const writer = await this.open();
    const isThere = async () => (await this.draft()) === typed;
    const found = await until(async () => (await writer.offer.isVisible()) || (await isThere()));
    if (found && !(await isThere())) {
      this.outcome.offered++;
      await writer.offer.click();
    }
    await until(isThere);
    if (await writer.returned.isVisible()) this.outcome.returned++;
    this.hold(typed, [await this.draft()], "what was typed before the tab ended");
  }

  /** The remaining page saves its text. */
  private async goOn(writer: Writer): Promise<void> {
    const retry = writer.page.getByRole("button", { name: "Save now" });
    await until(async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 1_000 }).catch(() => null);
      return (await this.draft()) === writer.typed;
    });
    this.outcome.typed += writer.counted();
    const isConflict = await writer.conflict.isVisible();
    this.hold(writer.typed, [await this.draft()], isConflict ? "a conflict with oneself" : "what was typed");
  }

  /**
   * Waits until a tab has saved, and chooses where necessary: again if the other tab has saved since.
   * @returns the texts that must exist afterwards
   */
  private async settle(writer: Writer): Promise<string[]> {
    const { page, conflict } = writer;
    const saved = page.getByText(/^Saved at /);
    const kept: string[] = [];
    await until(async () => {
      if (await saved.isVisible()) return true;
      if (!(await conflict.isVisible())) return false;
      this.outcome.conflicts++;
      kept.push(writer.typed);
      const theirs = this.draw() < 0.5;
      await page.getByRole("button", { name: theirs ? "Use the other tab's" : "Keep this tab's" }).click();
      // Refused immediately, it reappears before it was gone.
      await until(async () => !(await conflict.isVisible()), 2_000);
      if (theirs) writer.typed = inOneLine(await writer.text.innerHTML());
      return saved.isVisible();
    });
    return [...kept, writer.typed];
  }

  private async draft(): Promise<string> {
    const found = await inWorkspace(this.place.workspace.id, (db) =>
      db.articleDraft.findFirst({ where: { id: this.id }, select: { html: true } }),
    );
    return inOneLine(found?.html ?? "");
  }

  /** All stored texts of the article. */
  private async texts(): Promise<string[]> {
    const versions = await inWorkspace(this.place.workspace.id, (db) =>
      db.articleVersion.findMany({ where: { articleId: this.id }, select: { html: true } }),
    );
    return [await this.draft(), ...versions.map(({ html }) => inOneLine(html))];
  }

  /** Checks that one of some texts begins with this one. Otherwise, the shortest missing rest counts as lost. */
  private hold(text: string, there: string[], what: string): void {
    const rests = there.map((other) => {
      let same = 0;
      while (same < text.length && text[same] === other[same]) same++;
      return text.length - same;
    });
    const lost = Math.min(text.length, ...rests);
    if (lost === 0) return;
    this.outcome.lost += lost;
    this.outcome.losses.push(`${what}: “${text}” is not among “${there.join("”, “")}”`);
  }
}

/** A tab with the editor. */
class Writer {
  /** Its whole text, without blanks. */
  typed = "";
  /** The text that the server has acknowledged. */
  acknowledged = "";
  private keys = 0;

  constructor(readonly page: Page) {
    page.on("response", (response) => {
      if (response.request().method() !== "PUT" || !response.ok()) return;
      const { text } = response.request().postDataJSON() as { text: { html: string } };
      this.acknowledged = inOneLine(text.html);
    });
  }

  get text() {
    return this.page.getByRole("textbox", { name: "Article", exact: true });
  }

  get offer() {
    return this.page.getByRole("button", { name: "Restore" });
  }

  get returned() {
    return this.page.getByRole("button", { name: "Use saved text" });
  }

  get conflict() {
    return this.page.getByRole("heading", { name: "You edited this article in another tab" });
  }

  /** Types at the end of the text. */
  async type(words: string): Promise<void> {
    await this.text.focus();
    await this.page.keyboard.press("ControlOrMeta+End");
    await this.page.keyboard.type(words);
    const letters = words.replaceAll(" ", "");
    this.typed += letters;
    this.keys += letters.length;
  }

  /** The number of characters typed since the last call. */
  counted(): number {
    const { keys } = this;
    this.keys = 0;
    return keys;
  }
}

/**
 * A server over the database of the environment, which can be killed and restarted at the same URL. It runs no jobs, because
 * their mails would have that URL.
 */
export async function trialServer(): Promise<Place["server"] & { baseUrl: string }> {
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  let { child } = await start();
  function start() {
    return startServer("front door", { PORT: port, BASE_URL: baseUrl, JOBS: "off" });
  }
  return {
    baseUrl,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async start() {
      ({ child } = await start());
    },
  };
}
