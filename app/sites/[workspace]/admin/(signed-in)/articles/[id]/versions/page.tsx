import type { Metadata } from "next";
import { ListPage } from "@/components/admin/list-page";
import { Comparison, OtherChanges } from "@/components/admin/writing/comparison";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/field";
import { Moment } from "@/components/ui/moment";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { findVersion, listVersions, type Version } from "@/lib/articles/versions";
import { pageAddress, pageOf, type Query, wordOf } from "../../../../_form";
import { type Comparable, compareArticles, ROUGH } from "../../_comparison";
import { pathTo, requireArticle } from "../_article";
import { submitRestoreVersion } from "../actions";

export const metadata: Metadata = { title: "Versions" };

const SIZE = 25;
/** The maximum number of versions in the choices. */
const MOST_CHOICES = 200;

const kinds: Record<Version["kind"], string> = { publish: "Published", autosave: "While writing", import: "Imported" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Query>;
}

/** The history of an article: compares any two versions and restores any one. */
export default async function VersionsPage({ params, searchParams }: Props) {
  const query = await searchParams;
  const page = pageOf(query.page);
  const chosen = { from: numberOf(query.from), to: numberOf(query.to) };
  const { workspace, article, more, here } = await requireArticle(params, "articles.write", async (read, { id }) => ({
    ...(await listVersions(read, id, { limit: SIZE, offset: (page - 1) * SIZE })),
    choices: (await listVersions(read, id, { limit: MOST_CHOICES, offset: 0 })).versions,
    from: chosen.from ? await findVersion(read, id, chosen.from) : null,
    to: chosen.to ? await findVersion(read, id, chosen.to) : null,
  }));
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
    { value: "", name: "The draft as it is now" },
    ...[...choices, ...older].map(({ number, kind, at, by, summary }) => ({
      value: String(number),
      name: `${number}: ${kinds[kind]}, ${timeOf(at)}${by ? `, ${by}` : ""}${summary ? `: ${summary}` : ""}`,
    })),
  ];
  const text: Comparable = article.text;
  const differences = from && compareArticles(from.text, to?.text ?? text);
  return (
    <ListPage
      title={`Versions of “${article.text.title}”`}
      about="What was published is kept for ever; points while writing, the last 50. Attachments and related articles belong to no version: they are not compared, and stay as they are when one is restored."
      path={pathTo(article)}
      list={{
        page,
        size: SIZE,
        total,
        shown: versions.length,
        address: (at) => pageAddress(address, {}, at),
      }}
      empty={{
        title: "No versions yet",
        text: (
          <p>There is one as soon as somebody has written for a while, and one each time the article is published.</p>
        ),
      }}
      filter={
        <>
          <form action={address} className="mb-6 grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
            <Choice
              label="What was"
              name="from"
              defaultValue={String(from?.number ?? choices[0]?.number ?? "")}
              options={options.slice(1)}
            />
            <Choice label="And what became of it" name="to" defaultValue={String(to?.number ?? "")} options={options} />
            <Button type="submit" look="plain">
              Compare
            </Button>
            {total > choices.length && (
              <p className="text-text-muted sm:col-span-full">
                The last {choices.length} of {total.toLocaleString("en")} versions stand here. Older ones are in the
                list below, each with a way to compare it.
              </p>
            )}
          </form>
          {differences && (
            <section aria-labelledby="compared" className="mb-8 grid max-w-[48rem] gap-3">
              <h2 id="compared" className="text-base">
                From version {from.number} to {to ? `version ${to.number}` : "the draft as it is now"}
              </h2>
              <OtherChanges changes={differences.others} />
              {differences.isRough && <p className="text-text-muted">{ROUGH}</p>}
              <Comparison texts={differences} label="What differs in the text" />
            </section>
          )}
        </>
      }
    >
      <Table
        label="Versions"
        columns={["Version", "Made", "By", "Title", ""]}
        rows={versions.map((version) => ({
          key: String(version.number),
          cells: [
            <span key="number" className="flex flex-wrap gap-x-2">
              {version.number} <State tone={version.kind === "publish" ? "good" : "quiet"}>{kinds[version.kind]}</State>
            </span>,
            <Moment key="at" at={version.at} now={now} timeZone={workspace.timeZone} />,
            version.by ?? "A file",
            <span key="title" className="wrap-anywhere">
              {version.title}
              {version.summary && <span className="block text-text-muted">{version.summary}</span>}
            </span>,
            <span key="does" className="flex flex-wrap gap-2 md:justify-end">
              <a
                href={`${address}?from=${version.number}`}
                className="flex h-11 items-center md:h-8"
                aria-label={`Compare version ${version.number} with the draft`}
              >
                Compare
              </a>
              <form action={submitRestoreVersion}>
                <input type="hidden" name="id" value={article.id} />
                <input type="hidden" name="revision" value={article.revision} />
                <input type="hidden" name="number" value={version.number} />
                <Button type="submit" look="plain" size="small" aria-label={`Restore version ${version.number}`}>
                  Restore
                </Button>
              </form>
            </span>,
          ],
        }))}
      />
    </ListPage>
  );
}

function numberOf(value: string | string[] | undefined): number {
  return /^\d{1,9}$/.test(wordOf(value)) ? Number(value) : 0;
}
