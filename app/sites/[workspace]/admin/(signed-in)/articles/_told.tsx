import type { Told } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { idOf, wordOf } from "../../_form";
import { submitRestoreArticles } from "./actions";

const deeds: Record<string, string> = {
  published: "published",
  unpublished: "unpublished, and readers see nothing of it any more",
  moved: "moved",
  tagged: "tagged",
  deleted: "deleted",
  restored: "back",
};

/** What of the list was just done, as its address says, and the way to take it back. @param close that address without it */
export function toldOf(query: Record<string, string | string[] | undefined>, close: string): Told | undefined {
  const done = wordOf(query.done);
  const batch = idOf(query.batch);
  if (done === "none") return { text: "Choose articles first: tick the boxes before their titles.", close };
  if (done === "no-category") return { text: "Choose a category to move them to, then press Move.", close };
  if (done === "no-tag") return { text: "Write the tag that they are to have, then press Tag.", close };
  if (done === "refused") return { text: `Nothing is changed. ${refusals[wordOf(query.why)] ?? refusals.gone}`, close };
  if (!Object.hasOwn(deeds, done)) return undefined;
  const many = /^\d{1,4}$/.test(wordOf(query.n)) ? Number(query.n) : 0;
  const same = /^\d{1,4}$/.test(wordOf(query.same)) ? Number(query.same) : 0;
  const what = many === 0 ? "No article is" : many === 1 ? "One article is" : `${many} articles are`;
  const rest = same === 0 ? "" : same === 1 ? " One was already." : ` ${same} were already.`;
  const undo = done === "deleted" && batch && (
    <form action={submitRestoreArticles}>
      <input type="hidden" name="batch" value={batch} />
      <input type="hidden" name="from" value={new URL(close, "http://here").search} />
      <Button type="submit" look="plain" size="small">
        Undo
      </Button>
    </form>
  );
  return { text: `${what} ${many === 0 ? deeds[done]?.split(",")[0] : deeds[done]}.${rest}`, close, undo };
}

const refusals: Record<string, string> = {
  published: "One of them is published, and your role may not change what readers see: ask somebody who may publish.",
  "not-yours": "Readers would see one of them again, which your role may not decide: ask somebody who may publish.",
  gone: "Somebody has changed or deleted them meanwhile: look at the list as it is now.",
  "not-restored": "They cannot be brought back: they are back already, or a day is over.",
};
