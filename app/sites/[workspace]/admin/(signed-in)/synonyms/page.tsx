import type { Metadata } from "next";
import Link from "next/link";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Field } from "@/components/ui/field";
import { Filter, FilterSearch } from "@/components/ui/filter";
import { Pager } from "@/components/ui/pager";
import { Section } from "@/components/ui/section";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { listPins } from "@/lib/pins/pins";
import { searchedText } from "@/lib/reader/published-search";
import { vectorOf } from "@/lib/search/embeddings";
import { explainSearch } from "@/lib/search/explain";
import { requireMember } from "@/lib/session";
import { listSynonyms, type Synonym } from "@/lib/synonyms/synonyms";
import { addressWith, pageOf, type Query, wordOf } from "../../_form";
import { effectOf } from "./_effect";
import { Explained } from "./_explained";
import { PinnedResults } from "./_pinned";
import { submitRemoveSynonym } from "./actions";

export const metadata: Metadata = { title: "Search" };

const SIZE = 25;
const RESULTS = 10;

/** `?try=` explains a search, `?q=` filters the synonyms. `results`, `pins` and `page` are the pages of the three lists. */
export default async function SearchSettingsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const {
    workspace,
    member: { permissions },
  } = await requireMember("settings.manage");
  const query = await searchParams;
  const [results, pins, page] = [pageOf(query.results), pageOf(query.pins), pageOf(query.page)];
  const q = wordOf(query.q);
  const term = typeof query.try === "string" ? searchedText(query.try) : "";
  const vector = term ? await vectorOf(term) : null;
  const { found, pinned, synonyms } = await readWorkspace(workspace.id, async (read) => ({
    found: term
      ? await explainSearch(read, workspace.id, term, { limit: RESULTS, offset: (results - 1) * RESULTS, vector })
      : null,
    pinned: await listPins(read, { limit: SIZE, offset: (pins - 1) * SIZE }),
    synonyms: await listSynonyms(read, { search: q, limit: SIZE, offset: (page - 1) * SIZE }),
  }));
  const address = (change: { results?: number; pins?: number; page?: number }) => {
    const at = { results, pins, page, ...change };
    const numbers = Object.entries(at).filter(([, number]) => number > 1);
    return addressWith("/admin/synonyms", { try: term, q, ...Object.fromEntries(numbers) });
  };
  return (
    <AdminPage title="Search">
      <Section title="Try a search">
        <form action="/admin/synonyms" className="grid max-w-[28rem] grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
          <Field label="Search text" name="try" type="search" defaultValue={term} maxLength={200} required />
          <Button type="submit" look="plain">
            Explain results
          </Button>
        </form>
        {found && (
          <div className="mt-4">
            <Explained
              permissions={permissions}
              term={term}
              found={found}
              pager={{ page: results, size: RESULTS, address: (at) => address({ results: at }) }}
            />
          </div>
        )}
      </Section>
      <Section title="Pinned results" about="Pinned articles appear first for the searches you choose.">
        <PinnedResults
          permissions={permissions}
          searches={pinned.searches}
          pager={{ page: pins, size: SIZE, total: pinned.total, address: (at) => address({ pins: at }) }}
        />
      </Section>
      <Section
        title="Synonyms"
        about={
          <>
            A search for a term also finds its synonyms.{" "}
            <Link href="/admin/synonyms/paste" prefetch={false}>
              Paste a list
            </Link>
          </>
        }
        action={<ButtonLink href="/admin/synonyms/new">Add synonym</ButtonLink>}
      >
        <SynonymList
          q={q}
          synonyms={synonyms.synonyms}
          pager={{ page, size: SIZE, total: synonyms.total, address: (at) => address({ page: at }) }}
        />
      </Section>
    </AdminPage>
  );
}

function SynonymList({ q, synonyms, pager }: { q: string; synonyms: Synonym[]; pager: Parameters<typeof Pager>[0] }) {
  if (pager.total === 0 && q === "" && pager.page === 1) {
    return (
      <p className="max-w-[40rem] text-text-muted">
        No synonyms yet. Add words that your readers use but your articles don't.
      </p>
    );
  }
  return (
    <>
      <Filter action="/admin/synonyms" isFiltered={q !== ""}>
        <FilterSearch label="Term or synonym" value={q} />
      </Filter>
      {synonyms.length === 0 ? (
        <p className="text-text-muted">No synonyms found. Try different words.</p>
      ) : (
        <Table label="Synonyms" columns={["Term", "Synonyms", "Direction", ""]} rows={synonyms.map(rowOf)} />
      )}
      <Pager {...pager} />
    </>
  );
}

function rowOf(synonym: Synonym) {
  const { id, term, replacements, twoWay } = synonym;
  return {
    key: id,
    cells: [
      <Link
        key="term"
        href={`/admin/synonyms/${id}`}
        prefetch={false}
        className="font-medium"
        title={effectOf(synonym)}
      >
        {term}
      </Link>,
      replacements.join(", "),
      <span key="ways" className="whitespace-nowrap">
        {twoWay ? "Two-way" : "One-way"}
      </span>,
      <form key="remove" action={submitRemoveSynonym} className="flex md:justify-end">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="plain" size="small" aria-label={`Remove ${term}`}>
          Remove
        </Button>
      </form>,
    ],
  };
}
