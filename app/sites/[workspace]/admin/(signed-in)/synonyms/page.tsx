import type { Metadata } from "next";
import Link from "next/link";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { countOf } from "@/components/ui/count";
import { Empty } from "@/components/ui/empty";
import { Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findRemovedSynonym, findSynonym, listSynonyms, type Synonym } from "@/lib/synonyms";
import { idOf, pageAddress, pageOf, wordOf } from "../../_form";
import { type Tried, TriedLine, tried } from "./_try";
import { effectOf } from "./_words";
import { submitRemoveSynonym, submitRestoreSynonym } from "./actions";

export const metadata: Metadata = { title: "Synonyms" };

const SIZE = 25;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SynonymsPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const q = wordOf(asked.q);
  const text = wordOf(asked.try);
  const of = idOf(asked.of);
  const { synonyms, total, found, saved, removed } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listSynonyms(read, { search: q, limit: SIZE, offset: (page - 1) * SIZE })),
    found: text ? await tried(read, workspace.id, text) : null,
    saved: of && asked.done ? await findSynonym(read, of) : null,
    removed: of && asked.done === "removed" ? await findRemovedSynonym(read, of) : null,
  }));
  const address = (at: number) => pageAddress("/admin/synonyms", { q, try: text }, at);
  const add = <ButtonLink href="/admin/synonyms/new">Add synonym</ButtonLink>;
  const isEmpty = total === 0 && q === "" && page === 1;
  return (
    <AdminPage
      title="Synonyms"
      about={
        <>
          Words that mean the same to your readers: a search for one also finds the other.{" "}
          <Link href="/admin/synonyms/paste" prefetch={false}>
            Paste a list
          </Link>
        </>
      }
      action={!isEmpty && add}
      told={toldOf({ done: wordOf(asked.done), count: wordOf(asked.count), of, saved, removed, close: address(page) })}
    >
      {isEmpty ? (
        <Empty title="No synonyms yet" action={add}>
          <p>
            Add one where readers use another word than your articles do: an abbreviation, or the name that another
            product has for the same thing. With “sign in” for “log in”, a search for either finds both.
          </p>
        </Empty>
      ) : (
        <>
          <Filter action="/admin/synonyms" columns="sm:grid-cols-[minmax(0,1fr)_auto]">
            <Field label="Term or replacement" name="q" type="search" defaultValue={q} maxLength={100} />
          </Filter>
          {synonyms.length === 0 ? (
            <Empty
              title="No synonym has this"
              action={
                <ButtonLink href="/admin/synonyms" look="plain">
                  Show all synonyms
                </ButtonLink>
              }
            >
              <p>No term and no replacement has these words. A part of a word is enough.</p>
            </Empty>
          ) : (
            <Table label="Synonyms" columns={["Term", "Also finds", "Ways", ""]} rows={synonyms.map(rowOf)} />
          )}
          <Pager page={page} size={SIZE} total={total} address={address} />
        </>
      )}
      <TryIt q={q} text={text} found={found} />
    </AdminPage>
  );
}

/** Whether a synonym is needed, or does what it should, is seen by searching. */
function TryIt({ q, text, found }: { q: string; text: string; found: Tried | null }) {
  return (
    <section aria-labelledby="try" className="mt-10 grid gap-3 border-t border-border pt-6">
      <h2 id="try" className="text-base">
        Try a search
      </h2>
      <form action="/admin/synonyms" className="grid max-w-[28rem] grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
        {q && <input type="hidden" name="q" value={q} />}
        <Field label="What readers search for" name="try" type="search" defaultValue={text} maxLength={100} required />
        <Button type="submit" look="plain">
          Try it
        </Button>
      </form>
      {found && <TriedLine {...found} />}
    </section>
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

function toldOf({
  done,
  count,
  of,
  saved,
  removed,
  close,
}: {
  done: string;
  count: string;
  of: string | null;
  saved: Synonym | null;
  removed: string | null;
  close: string;
}): Told | undefined {
  if (done === "added" && /^\d+$/.test(count)) {
    return {
      text: `${countOf(Number(count), "synonym is", "synonyms are")} added.`,
      close,
    };
  }
  if (done === "not-restored") return { text: "It is not back: its term has a synonym again.", close };
  if (saved && (done === "saved" || done === "restored")) return { text: effectOf(saved), close };
  if (!removed || !of) return undefined;
  return {
    text: `The synonym for “${removed}” is removed: the next search no longer knows it.`,
    close,
    undo: (
      <form action={submitRestoreSynonym}>
        <input type="hidden" name="id" value={of} />
        <Button type="submit" look="plain" size="small">
          Undo
        </Button>
      </form>
    ),
  };
}
