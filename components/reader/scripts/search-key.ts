// Single-key shortcuts must be optional (WCAG 2.2, 2.1.4), because speech input and tremor trigger them by accident.

const NAME = "search-by-slash";
/** Used when the browser refuses storage. */
let chosen: boolean | undefined;

export function opensBySlash(): boolean {
  if (chosen !== undefined) return chosen;
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
}

function choose(isOn: boolean): void {
  chosen = isOn;
  try {
    if (isOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, "off");
  } catch {
    // The choice lasts until the page is left.
  }
}

/** Lets readers turn the key off, which also hides its hints. @param label contains the checkbox */
export function offerSlash(label: HTMLElement): void {
  const box = label.querySelector("input");
  const follow = () => {
    const isOn = opensBySlash();
    if (box) box.checked = isOn;
    for (const hint of document.querySelectorAll<HTMLElement>("[data-slash-hint]")) hint.hidden = !isOn;
  };
  follow();
  box?.addEventListener("change", () => {
    choose(box.checked);
    follow();
  });
}
