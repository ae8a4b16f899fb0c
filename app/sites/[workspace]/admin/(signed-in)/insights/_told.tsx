import type { Told } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { findArticle } from "@/lib/articles";
import type { Read } from "@/lib/db";
import type { PeriodName } from "@/lib/insights/period";
import { idOf, wordOf } from "../../_form";
import { submitDiscard } from "./actions";

/** What became of the draft that was asked for, said on the page to which its action leads. */
export async function draftTold(
  read: Read,
  asked: Record<string, string | string[] | undefined>,
  period: PeriodName,
): Promise<Omit<Told, "close"> | undefined> {
  switch (wordOf(asked.done)) {
    case "drafted": {
      const of = idOf(asked.of);
      const drafted = of && (await findArticle(read, of));
      if (!drafted || drafted.state !== "draft") return undefined;
      return {
        text: `“${drafted.title}” is a draft now, with nothing written in it yet. Readers do not see it.`,
        undo: (
          <form action={submitDiscard}>
            <input type="hidden" name="id" value={drafted.id} />
            <input type="hidden" name="period" value={period} />
            <Button type="submit" look="plain" size="small">
              Undo
            </Button>
          </form>
        ),
      };
    }
    case "drafted-before":
      return { text: "There is a draft with this title already." };
    case "not-drafted":
      return { text: "No draft is made: there is no category to put it into. Make a category first." };
    case "discarded":
      return { text: "The draft is gone." };
    case "kept":
      return { text: "The draft stays: somebody has written in it, or taken it away, since." };
    default:
      return undefined;
  }
}
