/** One line of code or a URL. It wraps on narrow screens. */
export function CodeLine({ children }: { children: string }) {
  return (
    <code className="block rounded-sm border border-border bg-surface-raised px-3 py-2 wrap-anywhere">{children}</code>
  );
}
