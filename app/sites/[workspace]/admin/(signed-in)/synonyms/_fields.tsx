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
        label="Readers search for"
        name="term"
        hint="A word, or up to five. Case, accents and punctuation make no difference."
        defaultValue={term}
        required
        maxLength={200}
        autoComplete="off"
      />
      <FormText
        label="They also find"
        name="replacements"
        hint="What else it is called, one a line: a word each, or up to five."
        defaultValue={replacements.join("\n")}
        required
        maxLength={5_000}
        rows={3}
      />
      <FormChoice label="Which way" name="ways" hint={waysHint} defaultValue={twoWay ? "both" : "one"} options={ways} />
    </>
  );
}
