import { ArticleTitle } from "@/components/admin/article-title";
import { Button } from "@/components/ui/button";
import { countOf } from "@/components/ui/count";
import { Pager } from "@/components/ui/pager";
import type { Permission } from "@/lib/members/roles";
import type { ExplainedSearch } from "@/lib/search/explain";
import { MOST_PINS } from "@/lib/search/first";
import { sentenceOfWhy } from "./_why";
import { submitMovePin, submitPin, submitUnpin } from "./actions";

/** The results of a search as readers see them, each with the reason for its position. */
export function Explained({
  term,
  found: { matches, total, correctedTerm },
  permissions,
  pager,
}: {
  term: string;
  permissions: Permission[];
  found: ExplainedSearch;
  pager: Omit<Parameters<typeof Pager>[0], "total">;
}) {
  const isPinned = ({ why }: ExplainedSearch["matches"][number]) => why.first?.reason === "pinned";
  const pinned = matches.filter(isPinned);
  return (
    <>
      <p role="status" className="break-words text-text-muted">
        A search for “{term}” finds {total === 0 ? "no articles" : countOf(total, "article")}
        {correctedTerm && `, including matches for “${correctedTerm}”`}.
      </p>
      <ol aria-label="Results" start={(pager.page - 1) * pager.size + 1} className="mt-3 border-t border-border">
        {matches.map((match) => (
          <li
            key={match.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b border-border py-2"
          >
            <span className="min-w-0 flex-1 break-words">
              <ArticleTitle article={{ ...match, published: true }} permissions={permissions} />
              <span className="block text-text-muted">{sentenceOfWhy(match.why)}</span>
            </span>
            {isPinned(match) ? (
              <span className="flex gap-2">
                {match !== pinned[0] && <Move term={term} match={match} by="up" />}
                {match !== pinned.at(-1) && <Move term={term} match={match} by="down" />}
                <UnpinForm term={term} article={match} />
              </span>
            ) : (
              pinned.length < MOST_PINS && (
                <PinForm action={submitPin} term={term} article={match} label={`Pin ${match.title} for this search`}>
                  Pin for this search
                </PinForm>
              )
            )}
          </li>
        ))}
      </ol>
      <Pager {...pager} total={total} />
    </>
  );
}

interface Article {
  id: string;
  title: string;
}

function Move({ term, match, by }: { term: string; match: Article; by: "up" | "down" }) {
  return (
    <PinForm action={submitMovePin} term={term} article={match} by={by} label={`Move ${match.title} ${by}`}>
      Move {by}
    </PinForm>
  );
}

export function UnpinForm({ term, article }: { term: string; article: Article }) {
  return (
    <PinForm action={submitUnpin} term={term} article={article} label={`Unpin ${article.title} from “${term}”`}>
      Unpin
    </PinForm>
  );
}

function PinForm({
  action,
  term,
  article,
  by,
  label,
  children,
}: {
  action: (form: FormData) => Promise<void>;
  term: string;
  article: Article;
  by?: "up" | "down";
  label: string;
  children: React.ReactNode;
}) {
  return (
    <form action={action}>
      <input type="hidden" name="term" value={term} />
      <input type="hidden" name="article" value={article.id} />
      {by && <input type="hidden" name="by" value={by} />}
      <Button type="submit" look="plain" size="small" aria-label={label}>
        {children}
      </Button>
    </form>
  );
}
