/**
 * Shows all samples in the language of the clicked tab, and stores the language in a cookie for the next page.
 * @param main contains the samples
 */
export function chooseLanguage(main: HTMLElement): void {
  const tabs = [...main.querySelectorAll<HTMLElement>("[role=tab]")];
  const select = (tab: HTMLElement) => {
    const { language } = tab.dataset;
    const top = tab.getBoundingClientRect().top;
    for (const one of tabs) {
      const isChosen = one.dataset.language === language;
      one.ariaSelected = String(isChosen);
      one.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(one.getAttribute("aria-controls") ?? "");
      if (!panel) continue;
      panel.hidden = !isChosen;
      // The page has hundreds of samples, so the other languages become elements when they are chosen.
      const waiting = isChosen ? panel.querySelector("template") : null;
      waiting?.replaceWith(waiting.content);
    }
    // Samples above may change height, so scroll to keep the tab in place.
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
    // biome-ignore lint/suspicious/noDocumentCookie: the next page is rendered in this language
    document.cookie = `sample_language=${language}; Path=/developers; Max-Age=31536000; SameSite=Lax`;
  };
  // Without scripts, the tabs are links, and each can be reached by Tab.
  for (const tab of tabs) tab.tabIndex = tab.ariaSelected === "true" ? 0 : -1;
  main.addEventListener("click", (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=tab]") : null;
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(tab);
  });
  main.addEventListener("keydown", (event) => {
    const tab = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=tab]") : null;
    const row = [...(tab?.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
    const index = tab ? row.indexOf(tab) : -1;
    const places: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: -1,
      " ": index,
    };
    const place = places[event.key];
    const chosen = place === undefined ? undefined : row.at(place % row.length);
    if (!tab || !chosen) return;
    event.preventDefault();
    chosen.focus({ preventScroll: true });
    select(chosen);
  });
}

/** The URL of the form's script, which the build inserts. */
declare const TRY_IT: string;

/** Replaces the button with a form, loaded on the first click. */
export function openTryIt(button: HTMLElement): void {
  button.addEventListener("click", () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    (import(TRY_IT) as Promise<typeof import("@/components/reader/reference/form/try-it")>)
      .then(
        ({ tryIt }) => tryIt(button),
        () => {
          button.textContent = button.dataset.failed ?? "";
        },
      )
      .finally(() => {
        button.ariaBusy = null;
      });
  });
}
