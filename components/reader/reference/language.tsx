"use client";

import { createContext, type ReactNode, use, useState } from "react";
import type { Language } from "@/lib/reference/samples";

const Chosen = createContext<{ language: Language; choose: (language: Language) => void } | null>(null);

/** The language of all samples on a page, kept in a cookie for the next page. */
export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(initial);
  const choose = (chosen: Language) => {
    setLanguage(chosen);
    document.cookie = `sample_language=${chosen}; Path=/developers; Max-Age=31536000; SameSite=Lax`;
  };
  return <Chosen value={{ language, choose }}>{children}</Chosen>;
}

export function useLanguage() {
  const chosen = use(Chosen);
  if (!chosen) throw new Error("Samples need a LanguageProvider.");
  return chosen;
}
