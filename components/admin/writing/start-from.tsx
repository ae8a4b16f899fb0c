"use client";

import { useState } from "react";
import type { ComboboxOption } from "@/components/ui/combobox";
import { FormCombobox } from "@/components/ui/form";
import { findTargets } from "./find-articles";

const find = async (text: string): Promise<ComboboxOption[]> =>
  (await findTargets(text)).map(({ id, title, category }) => ({ value: id, name: title, note: category }));

/** Chooses the article whose text a new article starts with. Needs scripts. */
export function StartFrom() {
  const [chosen, setChosen] = useState<ComboboxOption | null>(null);
  return (
    <FormCombobox
      label="Start from"
      name="from"
      none="Blank article"
      hint="Search for an article or draft to copy."
      find={find}
      options={chosen ? [chosen] : undefined}
      onChange={(_, option) => setChosen(option)}
    />
  );
}
