// Makes reader pages interactive. The pages have no framework and also work without this script. The front door
// (server/front-door/documents.ts) adds it to each page.

import { chooseTheme, followTheme } from "@/components/ui/theme";
import { aidArticle, copyOnClick } from "./article";
import { markSection } from "./contents";
import { sendFeedback } from "./feedback";
import { chooseLanguage, openTryIt } from "./reference";
import { startSearch } from "./search";
import { offerSlash } from "./search-key";
import { openInPlace } from "./tree";

/** Selector → script. */
const scripts: Record<string, (element: HTMLElement) => unknown> = {
  "[data-theme-switch]": (element) => {
    followTheme(element);
    element.addEventListener("change", ({ target }) => target instanceof HTMLInputElement && chooseTheme(target.value));
  },
  "[data-slash-switch]": offerSlash,
  "[data-search-dialog]": startSearch,
  "#_tree": openInPlace,
  "[data-contents]": markSection,
  "[data-article-status]": aidArticle,
  "[data-feedback]": sendFeedback,
  "[data-samples]": chooseLanguage,
  "button[data-try]": openTryIt,
};

copyOnClick();
for (const [selector, run] of Object.entries(scripts)) {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    try {
      run(element);
    } catch (error) {
      // The others still work.
      reportError(error);
    }
  }
}
