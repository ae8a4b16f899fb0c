const SHOWN_MS = 2_000;

/** The look of buttons that copy. */
export const copyLook =
  "h-8 shrink-0 cursor-pointer rounded-sm px-2.5 text-sm text-text-muted hover:bg-surface hover:text-text noscript:hidden";

/**
 * Copies the code of the frame around a CopyButton, and says so in the button for a moment. Pages without https have no clipboard,
 * so the code is selected there, for copying by keyboard.
 */
export async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.closest("[data-code-frame]")?.querySelector("pre:not([hidden] *)");
  const { copy = "", copied = "", keys = "" } = button.dataset;
  if (!code) return;
  const said = await navigator.clipboard.writeText(code.textContent).then(
    () => copied,
    () => {
      getSelection()?.selectAllChildren(code);
      return keys;
    },
  );
  const status = button.nextElementSibling;
  const say = (shown: string, announced: string) => {
    button.textContent = shown;
    if (status) status.textContent = announced;
  };
  say(said, said);
  setTimeout(say, SHOWN_MS, copy, "");
}
