import { FormChoice, FormField, FormText } from "@/components/ui/form";
import { ways, waysHint } from "./_effect";

/** The fields of a form about one synonym. */
export function SynonymFields({
  term,
  replacements,
  twoWay,
}: {
  term: string;
  replacements: string[];
  twoWay: boolean;
}) {
  return (
    <>
      <FormField
        label="Term"
        name="term"
        hint="Up to 5 words."
        defaultValue={term}
        required
        maxLength={200}
        autoComplete="off"
      />
      <FormText
        label="Synonyms"
        name="replacements"
        hint="One per line, up to 5 words each."
        defaultValue={replacements.join("\n")}
        required
        maxLength={5_000}
        rows={3}
      />
      <FormChoice label="Direction" name="ways" hint={waysHint} defaultValue={twoWay ? "both" : "one"} options={ways} />
    </>
  );
}
