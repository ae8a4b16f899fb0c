import type { Metadata } from "next";
import { ListPage } from "@/components/admin/list-page";
import { Comparison, OtherChanges } from "@/components/admin/writing/comparison";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/field";
import { Moment } from "@/components/ui/moment";
import { findVersion, listVersions, type Version } from "@/lib/articles/versions";
import { pageAddress, pageOf, type Query, wordOf } from "../../../../_form";
import { type Comparable, compareArticles, ROUGH } from "../../_comparison";
import { pathTo, requireArticle } from "../_article";
import { submitRestoreVersion } from "../actions";

export const metadata: Metadata = { title: "Versions" };

const SIZE = 25;
/** The maximum number of versions in the choices. */
const MOST_CHOICES = 200;

const kinds: Record<Version["kind"], string> = { publish: "Published", autosave: "Autosave", import: "Import" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Query>;
}

/** The history of an article: compares any two versions and restores any one. */
export default async function VersionsPage({ params, searchParams }: Props) {
  const query = await searchParams;
  const page = pageOf(query.page);
  const chosen = { from: numberOf(query.from), to: numberOf(query.to) };
  const { workspace, article, more, here } = await requireArticle(params, "articles.write", async (read, { id }) => {
    const choices = (await listVersions(read, id, { limit: MOST_CHOICES, offset: 0 })).versions;
    const first = chosen.from || (choices.find(({ kind }) => kind === "publish") ?? choices[0])?.number;
    return {
      ...(await listVersions(read, id, { limit: SIZE, offset: (page - 1) * SIZE })),
      choices,
      from: first ? await findVersion(read, id, first) : null,
      to: chosen.to ? await findVersion(read, id, chosen.to) : null,
    };
  });
  const { versions, total, choices, from, to } = more;
  const now = new Date();
  const address = `${here}/versions`;
  const timeOf = (at: Date) =>
    new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: workspace.timeZone }).format(at);
  // The choices include the compared versions, however old.
  const listed = new Set(choices.map(({ number }) => number));
  const older = [from, to?.number === from?.number ? null : to].flatMap((one) =>
    one && !listed.has(one.number) ? [one] : [],
  );
  const options = [
    { value: "", name: "Current text" },
    ...[...choices, ...older].map(({ number, kind, at, by, summary }) => ({
      value: String(number),
      name: `${number}: ${kinds[kind]}, ${timeOf(at)}${by ? `, ${by}` : ""}${summary ? `: ${summary}` : ""}`,
    })),
  ];
  const text: Comparable = article.text;
  const differences = from && (await compareArticles(workspace.id, from.text, to?.text ?? text));
  const sideOf = (version: Version | null) => (version ? `Version ${version.number}` : "Current text");
  return (
    <ListPage
      title={`Versions of “${article.text.title}”`}
      about="All published and imported versions, and the last 50 autosaves. Attachments and related articles aren't included."
      path={pathTo(article)}
      list={{
        page,
        size: SIZE,
        total,
        shown: versions.length,
        address: (at) => pageAddress(address, {}, at),
      }}
      empty={{ title: "No versions yet", text: <p>Lectern adds a version when you edit or publish the article.</p> }}
    >
      <div className="grid items-start gap-8 xl:grid-cols-[20rem_minmax(0,1fr)]">
        <ol aria-label="Versions" className="border-l border-border xl:order-none">
          {versions.map((version) => (
            <li
              key={version.number}
              aria-current={version.number === from?.number || undefined}
              className="relative pb-5 pl-5 before:absolute before:top-1.5 before:-left-[0.3125rem] before:size-2.5 before:rounded-full before:border-2 before:border-surface before:bg-border-field aria-current:before:bg-accent"
            >
              <p className="flex flex-wrap items-center gap-x-2">
                <a
                  href={`${address}?from=${version.number}${page > 1 ? `&page=${page}` : ""}`}
                  aria-label={`Compare version ${version.number} with the current text`}
                  className="font-medium no-underline hover:text-accent hover:underline"
                >
                  Version {version.number}
                </a>
                <Badge tone={version.kind === "publish" ? "good" : "quiet"}>{kinds[version.kind]}</Badge>
              </p>
              <p className="text-text-muted">
                <Moment at={version.at} now={now} timeZone={workspace.timeZone} />
                {version.by && `, ${version.by}`}
              </p>
              {version.summary && <p className="mt-0.5 wrap-anywhere">{version.summary}</p>}
              {version.title !== article.text.title && (
                <p className="mt-0.5 wrap-anywhere text-text-muted">“{version.title}”</p>
              )}
            </li>
          ))}
        </ol>
        {from && differences && (
          <section aria-labelledby="compared" className="grid min-w-0 gap-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 id="compared" className="text-base">
                {sideOf(from)} → {sideOf(to)}
              </h2>
              <form action={submitRestoreVersion}>
                <input type="hidden" name="id" value={article.id} />
                <input type="hidden" name="revision" value={article.revision} />
                <input type="hidden" name="number" value={from.number} />
                <Button type="submit" look="plain" size="small">
                  Restore version {from.number}
                </Button>
              </form>
            </div>
            <form action={address} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
              <Choice label="From" name="from" defaultValue={String(from.number)} options={options.slice(1)} />
              <Choice label="To" name="to" defaultValue={String(to?.number ?? "")} options={options} />
              <Button type="submit" look="plain">
                Compare
              </Button>
            </form>
            <OtherChanges changes={differences.others} />
            {differences.isRough && <p className="text-text-muted">{ROUGH}</p>}
            <Comparison texts={differences} label="Changes in the text" sides={[sideOf(from), sideOf(to)]} />
          </section>
        )}
      </div>
    </ListPage>
  );
}

function numberOf(value: string | string[] | undefined): number {
  return /^\d{1,9}$/.test(wordOf(value)) ? Number(value) : 0;
}
