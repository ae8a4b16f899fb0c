import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Section } from "@/components/ui/section";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { listSynonyms, type Synonym } from "@/lib/synonyms/synonyms";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";
import { effectOf } from "./_effect";
import { type Trial, TrialResult, trySearch } from "./_trial";
import { submitRemoveSynonym } from "./actions";

export const metadata: Metadata = { title: "Synonyms" };

const SIZE = 25;

export default async function SynonymsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("settings.manage");
  const query = await searchParams;
  const page = pageOf(query.page);
  const q = wordOf(query.q);
  const text = wordOf(query.try);
  const { synonyms, total, trial } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listSynonyms(read, { search: q, limit: SIZE, offset: (page - 1) * SIZE })),
    trial: text ? await trySearch(read, workspace.id, text) : null,
  }));
  return (
    <ListPage
      title="Synonyms"
      about={
        <>
          Words that mean the same to your readers: a search for one also finds the other.{" "}
          <Link href="/admin/synonyms/paste" prefetch={false}>
            Paste a list
          </Link>
        </>
      }
      action={<ButtonLink href="/admin/synonyms/new">Add synonym</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: synonyms.length,
        address: (at) => pageAddress("/admin/synonyms", { q, try: text }, at),
      }}
      isFiltered={q !== ""}
      filter={
        <Filter action="/admin/synonyms" columns="sm:grid-cols-[minmax(0,1fr)_auto]">
          <Field label="Term or replacement" name="q" type="search" defaultValue={q} maxLength={100} />
        </Filter>
      }
      empty={{
        title: "No synonyms yet",
        text: (
          <p>
            Add one where readers use another word than your articles do: an abbreviation, or the name that another
            product has for the same thing. With “sign in” for “log in”, a search for either finds both.
          </p>
        ),
      }}
      unmatched={{
        title: "No synonym has this",
        text: <p>No term and no replacement has these words. A part of a word is enough.</p>,
        all: { href: "/admin/synonyms", name: "Show all synonyms" },
      }}
      below={<SearchTrial q={q} text={text} trial={trial} />}
    >
      <Table label="Synonyms" columns={["Term", "Also finds", "Ways", ""]} rows={synonyms.map(rowOf)} />
    </ListPage>
  );
}

/** A search shows whether a synonym is needed, or does its work. */
function SearchTrial({ q, text, trial }: { q: string; text: string; trial: Trial | null }) {
  return (
    <Section title="Try a search">
      <form action="/admin/synonyms" className="mb-3 grid max-w-[28rem] grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
        {q && <input type="hidden" name="q" value={q} />}
        <Field label="What readers search for" name="try" type="search" defaultValue={text} maxLength={100} required />
        <Button type="submit" look="plain">
          Try it
        </Button>
      </form>
      {trial && <TrialResult {...trial} />}
    </Section>
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
        {twoWay ? "Both ways" : "One way"}
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
