const SHOWN_MS = 2_000;

/** The look of buttons that copy. */
export const copyLook =
  "h-8 shrink-0 cursor-pointer rounded-sm px-2.5 text-sm text-text-muted hover:bg-surface hover:text-text noscript:hidden";

/**
 * Copies the code next to the button, and confirms it on the button for a moment. Without https there is no clipboard, so it
 * selects the code for copying by keyboard.
 */
export async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest("[data-code-frame]")?.querySelector("pre:not([hidden] *)");
  const { copy = "", copied = "", keys = "" } = button.dataset;
  if (!code) return;
  let said = copied;
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection()?.selectAllChildren(code);
    said = keys;
  }
  const status = button.nextElementSibling;
  const say = (shown: string, announced: string) => {
    button.textContent = shown;
    if (status) status.textContent = announced;
  };
  say(said, said);
  setTimeout(say, SHOWN_MS, copy, "");
}
