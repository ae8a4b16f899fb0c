import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { reachWords } from "@/components/admin/categories/answers";
import { childrenOf } from "@/components/admin/categories/tree";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Form, FormChoice, FormField, FormText } from "@/components/ui/form";
import { type CategoryDetails, findCategoryDetails, listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf } from "../../../_form";
import { breadcrumbsTo, categoryChoices, contentsOf, visibilityChoices } from "../_choices";
import { submitCategory, submitPlace, submitPlaceBack } from "../actions";

export const metadata: Metadata = { title: "Category" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CategoryPage({ params, searchParams }: Props) {
  const { workspace: subdomain, id } = await params;
  const workspace = await publicWorkspace(subdomain);
  await requireMember(workspace.subdomain, "categories.manage");
  const { category, rows } = await readWorkspace(workspace.id, async (read) => ({
    category: await findCategoryDetails(read, id),
    rows: await listCategoryTree(read),
  }));
  if (!category) notFound();
  const children = childrenOf(rows);
  const below = children.get(category.id) ?? [];
  const position = (children.get(category.parentId) ?? []).findIndex((row) => row.id === category.id) + 1;
  const { options, hint } = visibilityChoices(rows, category.parentId, workspace.visibility === "members");
  const here = `/admin/categories/${category.id}`;
  return (
    <AdminPage
      title={category.name}
      about={`${contentsOf(category, below.length) || "Nothing"} in it.`}
      path={breadcrumbsTo()}
      action={
        <ButtonLink href={`${here}/articles`} look="plain">
          Order its articles
        </ButtonLink>
      }
      told={toldOf(await searchParams, category, here)}
    >
      <Form action={submitCategory} submit="Save" busy="Saving …">
        <input type="hidden" name="id" value={category.id} />
        <input type="hidden" name="seen" value={category.seen} />
        <FormField label="Name" name="name" defaultValue={category.name} required maxLength={200} />
        <FormField
          label="Address"
          name="slug"
          defaultValue={category.slug}
          hint="What stands in the address of its page, after /categories/. The address it has now goes on leading there."
        />
        <FormText
          label="Description"
          name="description"
          defaultValue={category.description ?? ""}
          rows={3}
          hint="Shown to readers below the name."
        />
        <FormChoice
          label="Who may read"
          name="visibility"
          defaultValue={category.visibility}
          options={options}
          hint={hint}
        />
      </Form>

      <section aria-labelledby="place" className="mt-10 border-t border-border pt-6">
        <h2 id="place" className="mb-4 text-base">
          Place
        </h2>
        <Form action={submitPlace} submit="Move" busy="Moving …" look="plain">
          <input type="hidden" name="id" value={category.id} />
          <input type="hidden" name="from" value={category.parentId ?? ""} />
          <FormChoice
            label="Below"
            name="parent"
            defaultValue={category.parentId ?? ""}
            options={[{ value: "", name: "Nothing: at the top" }, ...categoryChoices(rows, category.id)]}
          />
          <FormField
            label="Position"
            name="position"
            type="number"
            min={1}
            defaultValue={position}
            hint="Among the categories there: 1 is the first."
          />
        </Form>
      </section>

      <section aria-labelledby="below" className="mt-10 border-t border-border pt-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="below" className="text-base">
            Categories in it
          </h2>
          <ButtonLink href={`/admin/categories/new?below=${category.id}`} look="plain" size="small">
            Create category in it
          </ButtonLink>
        </div>
        {below.length === 0 ? (
          <p className="mt-3 text-text-muted">None.</p>
        ) : (
          <ol className="mt-3">
            {below.map((row) => (
              <li key={row.id} className="border-b border-border last:border-0">
                <Link
                  href={`/admin/categories/${row.id}`}
                  prefetch={false}
                  className="flex min-h-11 items-center break-words md:min-h-10"
                >
                  {row.name}
                </Link>
              </li>
            ))}
          </ol>
        )}
      </section>

      <section aria-labelledby="end" className="mt-10 border-t border-border pt-6">
        <h2 id="end" className="text-base">
          Merge or delete
        </h2>
        <p className="mt-1.5 max-w-[36rem] text-text-muted">
          What is in it goes into another category, and its address leads there. Nothing is lost.
        </p>
        <div className="mt-4 flex flex-wrap gap-2">
          <ButtonLink href={`${here}/merge`} look="plain">
            Merge into another
          </ButtonLink>
          <ButtonLink href={`${here}/delete`} look="danger">
            Delete
          </ButtonLink>
        </div>
      </section>
    </AdminPage>
  );
}

function toldOf(
  asked: Record<string, string | string[] | undefined>,
  { id, name }: CategoryDetails,
  close: string,
): Told | undefined {
  if (asked.done === "saved") return { text: `“${name}” is saved.`, close };
  if (asked.done !== "moved") return undefined;
  const undo = (
    <form action={submitPlaceBack}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="parent" value={idOf(asked.parent) ?? ""} />
      <input type="hidden" name="before" value={idOf(asked.before) ?? ""} />
      <input type="hidden" name="from" value={idOf(asked.from) ?? ""} />
      <Button type="submit" look="plain" size="small">
        Undo
      </Button>
    </form>
  );
  return { text: `“${name}” is moved.${reachWords(asked.reach)}`, close, undo };
}
