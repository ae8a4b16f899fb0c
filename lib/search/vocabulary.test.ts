import { expect, test } from "vitest";
import { inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { farther, near } from "@/lib/search/vocabulary";
import { aWorkspace } from "@/testing/workspace";

test("of two spellings of a word the same one is offered, whichever was learned first", async () => {
  const lookUps: Record<string, (read: Read, id: string) => ReturnType<typeof near>> = {
    "one edit": (read, id) => near(read, id, "walrsu", false),
    "one edit, of a word that is still being typed": (read, id) => near(read, id, "wqlru", true),
    "two edits, one in each half": (read, id) => farther(read, id, "wqlrxs"),
    "two edits in the first half": (read, id) => farther(read, id, "xqlrus"),
    "the end of a word": (read, id) => farther(read, id, "alrus"),
  };
  const offered = async (...spellings: string[]) => {
    const { id } = await aWorkspace();
    for (const spelling of spellings) {
      const insert = "INSERT INTO search_words (word, spelling) VALUES ('walrus', $1)";
      await inWorkspace(id, (db) => db.$executeRawUnsafe(insert, spelling));
    }
    return readWorkspace(id, async (read) => {
      const found: Record<string, string[]> = {};
      for (const [name, lookUp] of Object.entries(lookUps)) {
        const words = (await lookUp(read, id)).flatMap((guess) => guess.words);
        found[name] = [...new Set(words.map(({ spelling }) => spelling))];
      }
      return found;
    });
  };
  const first = Object.fromEntries(Object.keys(lookUps).map((name) => [name, ["walrus"]]));
  expect(await offered("walrus", "wálrus")).toEqual(first);
  expect(await offered("wálrus", "walrus")).toEqual(first);
});
