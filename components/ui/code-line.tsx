/** One line of code or an address, on a ground of its own, that wraps rather than runs off a phone. */
export function CodeLine({ children }: { children: string }) {
  return (
    <code className="block rounded-sm border border-border bg-surface-raised px-3 py-2 wrap-anywhere">{children}</code>
  );
}
