import type { Told } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { idOf, wordOf } from "../../_form";
import { toldTooOften } from "./_often";
import { submitRestoreArticles, submitUndo } from "./actions";

const deeds: Record<string, string> = {
  published: "published",
  unpublished: "unpublished: readers find nothing there any more",
  moved: "moved",
  tagged: "tagged",
  deleted: "deleted",
  restored: "back",
  undone: "as before",
};

/** What of the list was just done, as its address says, and the way to take it back. @param close that address without it */
export function toldOf(query: Record<string, string | string[] | undefined>, close: string): Told | undefined {
  const done = wordOf(query.done);
  const batch = idOf(query.batch);
  if (done === "none") return { text: "Choose articles first: tick the boxes before their titles.", close };
  if (done === "no-category") return { text: "Choose a category to move them to, then press Move.", close };
  if (done === "no-tag") return { text: "Write the tag that they are to have, then press Tag.", close };
  if (done === "refused") return { text: `Nothing is changed. ${refusals[wordOf(query.why)] ?? refusals.gone}`, close };
  const often = toldTooOften(query);
  if (often) return { text: often, close };
  if (!Object.hasOwn(deeds, done)) return undefined;
  const numberOf = (name: string) => (/^\d{1,4}$/.test(wordOf(query[name])) ? Number(query[name]) : 0);
  const [many, same, left] = [numberOf("n"), numberOf("same"), numberOf("left")];
  const leftOut = (name: string, what: string) => {
    const count = numberOf(name);
    return (
      count > 0 &&
      (count === 1 ? `One is left out: it has no ${what}.` : `${count} are left out: they have no ${what}.`)
    );
  };
  const what = many === 0 ? "No article is" : many === 1 ? "One article is" : `${many} articles are`;
  const rests = [
    same === 1 && "One was already.",
    same > 1 && `${same} were already.`,
    leftOut("untitled", "title"),
    leftOut("empty", "text"),
    left === 1 && "One stays as it is: somebody has changed or deleted it since, or its category or a tag is gone.",
    left > 1 &&
      `${left} stay as they are: somebody has changed or deleted them since, or their category or a tag is gone.`,
  ];
  const act = many > 0 && Object.hasOwn(undoneBy, done) && undoneBy[done];
  const undo = batch && act && <Undo act={act} given={{ batch, from: new URL(close, "http://here").search }} />;
  const deed = many === 0 ? deeds[done]?.split(",")[0] : deeds[done];
  return { text: [`${what} ${deed}.`, ...rests.filter(Boolean)].join(" "), close, undo };
}

/** Takes back what a message tells of. @param given what the action is told: of which deed, and where it leads back to */
export function Undo({ act, given }: { act: (form: FormData) => Promise<void>; given: Record<string, string> }) {
  return (
    <form action={act}>
      {Object.entries(given).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" look="plain" size="small">
        Undo
      </Button>
    </form>
  );
}

/** What takes a deed back. */
const undoneBy: Record<string, (form: FormData) => Promise<void>> = {
  ...{ published: submitUndo, unpublished: submitUndo, moved: submitUndo, tagged: submitUndo },
  deleted: submitRestoreArticles,
};

const refusals: Record<string, string> = {
  published: "One of them is published, and your role may not change what readers see: ask somebody who may publish.",
  "not-yours": "Readers would see one of them again, which your role may not decide: ask somebody who may publish.",
  gone: "Somebody has changed or deleted them meanwhile: look at the list as it is now.",
  "not-undone": "This cannot be undone: it is already, or an hour is over.",
  "not-restored": "They cannot be brought back: they are back already, or a day is over.",
};
