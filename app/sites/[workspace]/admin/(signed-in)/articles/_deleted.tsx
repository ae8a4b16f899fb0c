import { BulkBar } from "@/components/admin/articles/bulk-bar";
import { Button } from "@/components/ui/button";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import type { DeletedArticle } from "@/lib/articles/deleted";
import { submitBulk } from "./actions";

const FORM = "deleted-articles";

/**
 * Articles that can still be brought back, one or many at once.
 * @param from the query of the list's address, which what is done leads back to
 * @param chosen those that are ticked to begin with
 */
export function DeletedArticles({
  articles,
  mayPublish,
  timeZone,
  from,
  chosen,
}: {
  articles: DeletedArticle[];
  mayPublish: boolean;
  timeZone: string;
  from: string;
  chosen: readonly string[];
}) {
  const now = new Date();
  const untilOf = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone });
  return (
    <form id={FORM} action={submitBulk}>
      <input type="hidden" name="from" value={from} />
      <BulkBar formId={FORM}>
        <Button type="submit" name="do" value="restore" look="plain" size="small">
          Bring back
        </Button>
      </BulkBar>
      <Table
        label="Deleted articles"
        columns={["Title", "Deleted", "By", "Can come back until", ""]}
        dense={["Deleted", "By", "Can come back until"]}
        rows={articles.map(({ id, title, deletedAt, until, by, wasPublished }) => {
          const mayBringBack = mayPublish || !wasPublished;
          return {
            key: id,
            cells: [
              <label key="title" className="flex min-w-0 items-start gap-2.5">
                <input
                  type="checkbox"
                  name="id"
                  value={id}
                  disabled={!mayBringBack}
                  defaultChecked={chosen.includes(id)}
                  aria-label={`Choose ${title}`}
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                />
                <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
              </label>,
              <Moment key="at" at={deletedAt} now={now} timeZone={timeZone} />,
              by ?? "",
              untilOf.format(until),
              mayBringBack ? (
                <span key="does" className="flex md:justify-end">
                  <Button
                    type="submit"
                    name="one"
                    value={id}
                    look="plain"
                    size="small"
                    aria-label={`Bring back ${title}`}
                  >
                    Bring back
                  </Button>
                </span>
              ) : (
                <span key="does" className="text-text-muted">
                  Readers would see it: ask somebody who may publish.
                </span>
              ),
            ],
          };
        })}
      />
    </form>
  );
}
