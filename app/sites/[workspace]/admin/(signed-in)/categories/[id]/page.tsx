import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { childrenOf } from "@/components/admin/categories/tree";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { Form, FormChoice, FormCombobox, FormField, FormText } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { findCategoryDetails, listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { breadcrumbsTo, categoryChoices, contentsOf, visibilityChoices } from "../_choices";
import { submitCategory, submitPlace } from "../actions";

export const metadata: Metadata = { title: "Category" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function CategoryPage({ params }: Props) {
  const { id } = await params;
  const { workspace } = await requireMember("categories.manage");
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
  const contents = contentsOf(category, below.length);
  return (
    <AdminPage
      title={category.name}
      about={contents || "Empty"}
      path={breadcrumbsTo()}
      action={
        <ButtonLink href={`${here}/articles`} look="plain">
          Reorder articles
        </ButtonLink>
      }
    >
      <Form action={submitCategory} submit="Save" busy="Saving…">
        <input type="hidden" name="id" value={category.id} />
        <input type="hidden" name="seen" value={category.seen} />
        <FormField label="Name" name="name" defaultValue={category.name} required maxLength={200} />
        <FormField
          label="URL slug"
          name="slug"
          defaultValue={category.slug}
          hint="The part after /categories/. The old URL will redirect here."
        />
        <FormText
          label="Description"
          name="description"
          defaultValue={category.description ?? ""}
          rows={3}
          hint="Shown to readers below the name."
        />
        <FormChoice
          label="Visibility"
          name="visibility"
          defaultValue={category.visibility}
          options={options}
          hint={hint}
        />
      </Form>

      <Section title="Location">
        <Form action={submitPlace} submit="Move" busy="Moving…" look="plain">
          <input type="hidden" name="id" value={category.id} />
          <input type="hidden" name="from" value={category.parentId ?? ""} />
          <FormCombobox
            label="Parent"
            name="parent"
            defaultValue={category.parentId ?? ""}
            none="None (top level)"
            options={categoryChoices(rows, category.id)}
          />
          <FormField label="Position" name="position" type="number" min={1} defaultValue={position} />
        </Form>
      </Section>

      <Section
        title="Subcategories"
        action={
          <ButtonLink href={`/admin/categories/new?below=${category.id}`} look="plain" size="small">
            Add subcategory
          </ButtonLink>
        }
      >
        {below.length === 0 ? (
          <p className="text-text-muted">None.</p>
        ) : (
          <ol>
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
      </Section>

      <Section
        title="Merge or delete"
        about={
          contents === ""
            ? "Merging redirects the URL to another category. Deleting removes the page."
            : "You'll choose another category for the contents. The old URL will redirect there."
        }
      >
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={`${here}/merge`} look="plain">
            Merge…
          </ButtonLink>
          <ButtonLink href={`${here}/delete`} look="danger">
            Delete…
          </ButtonLink>
        </div>
      </Section>
    </AdminPage>
  );
}
