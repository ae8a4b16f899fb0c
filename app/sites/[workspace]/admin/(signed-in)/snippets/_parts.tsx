import { countOf } from "@/components/ui/count";
import { FormText } from "@/components/ui/form";
import { tokenOf } from "@/lib/content/snippet-names";

/** The consequence of a deletion. */
export function DeletionNote({ name, articles }: { name: string; articles: number }) {
  if (articles === 0) return "No published article uses this snippet.";
  return `${countOf(articles, "published article")} ${articles === 1 ? "uses" : "use"} this snippet. Readers will see ${tokenOf(name)} instead.`;
}

export function ContentField({ markdown = "" }: { markdown?: string }) {
  return (
    <FormText
      label="Content"
      name="content"
      hint="Markdown. A single paragraph works within a sentence. Anything else replaces a paragraph."
      defaultValue={markdown}
      required
      maxLength={20_000}
      rows={8}
    />
  );
}
