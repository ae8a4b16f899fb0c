"use client";

import { useState } from "react";
import type { ComboboxOption } from "@/components/ui/combobox";
import { FormCombobox } from "@/components/ui/form";
import { findTargets } from "./find-articles";

const find = async (text: string): Promise<ComboboxOption[]> =>
  (await findTargets(text)).map(({ id, title, category }) => ({ value: id, name: title, note: category }));

/** Chooses an article whose text a new one starts with. Needs scripts. */
export function StartFrom() {
  const [chosen, setChosen] = useState<ComboboxOption | null>(null);
  return (
    <FormCombobox
      label="Start from"
      name="from"
      none="Blank article"
      hint="Type a title to copy an article or a draft."
      find={find}
      options={chosen ? [chosen] : undefined}
      onChange={(_, option) => setChosen(option)}
    />
  );
}
