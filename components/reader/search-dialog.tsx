import type { Words } from "@/lib/reader/words";
import type { Contact } from "./contact";
import type { DialogWords } from "./scripts/search-markup";
import { asWords } from "./scripts/words";

/** The words of the search dialog. scripts/search-markup.ts builds it. */
export function SearchDialog({ words, contact }: { words: Words; contact: Contact | null }) {
  const { language, search, dialog, frame, home, tree } = words;
  const { label, placeholder, count, corrected, nothing, hint, browse } = search;
  const said: DialogWords = {
    ...dialog,
    ...{ language, label, placeholder, count, corrected, nothing, hint, browse, contact },
    leave: frame.close,
    popular: home.popular,
    categories: tree.label,
    help: words.contact,
  };
  return <span hidden data-search-dialog="" {...asWords(said)} />;
}
