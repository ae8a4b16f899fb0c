import { Refreshing } from "@/components/admin/underway";
import { countOf } from "@/components/ui/count";
import { FormText } from "@/components/ui/form";
import { tokenOf } from "@/lib/content/snippet-names";

interface Uses {
  /** Published ones. */
  articles: number;
  drafts: number;
}

export function usesOf({ articles, drafts }: Uses): string {
  const users = [
    ...(articles > 0 ? [countOf(articles, "published article")] : []),
    ...(drafts > 0 ? [countOf(drafts, "draft")] : []),
  ];
  if (users.length === 0) return "No article uses this snippet.";
  return `${users.join(" and ")} ${articles + drafts === 1 ? "uses" : "use"} this snippet.`;
}

/** The consequence of a deletion. */
export function DeletionNote({ name, ...uses }: Uses & { name: string }) {
  if (uses.articles + uses.drafts === 0) return usesOf(uses);
  return `${usesOf(uses)} ${uses.articles > 0 ? "Readers" : "After publishing, readers"} will see ${tokenOf(name)} instead.`;
}

export const updatingOf = (articles: number): string =>
  `${countOf(articles, "article")} ${articles === 1 ? "is" : "are"} being updated.`;

/** Disappears when the articles are updated. */
export function Updating({ articles }: { articles: number }) {
  return (
    <p role="status" className="text-text-muted">
      {updatingOf(articles)}
      <Refreshing />
    </p>
  );
}

export function ContentField({ markdown = "" }: { markdown?: string }) {
  return (
    <FormText
      label="Content"
      name="content"
      hint="Use Markdown. To use the snippet inside a sentence, keep it to one paragraph."
      defaultValue={markdown}
      required
      maxLength={20_000}
      rows={8}
    />
  );
}
