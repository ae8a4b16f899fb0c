/** The rows of a page's table, in the order in which they are shown. */
export function rowsOf(page: Document): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("main tbody tr")];
}

/** The field that filters what the page lists, or null. */
export function filterOf(page: Document): HTMLInputElement | null {
  return page.querySelector<HTMLInputElement>('main [role="search"] input[type="search"]');
}

const rowAt = (target: EventTarget | null) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>("main tbody tr") : null;

/** Whether something is in a row. */
export function inRow(target: EventTarget | null): boolean {
  return rowAt(target) !== null;
}

/**
 * Goes to the next row or the one before, from none to the first. In a row, that is to what opens it; where nothing does, to
 * the first of its buttons, else to the row itself.
 * @returns whether there is any
 */
export function moveRow(page: Document, by: 1 | -1): boolean {
  const rows = rowsOf(page);
  const from = rows.findIndex((row) => row.contains(page.activeElement));
  const row = rows[from < 0 ? 0 : Math.min(Math.max(from + by, 0), rows.length - 1)];
  if (!row) return false;
  const target = row.querySelector<HTMLElement>("a[href]") ?? row.querySelector<HTMLElement>("button") ?? row;
  if (target === row) row.tabIndex = -1;
  target.focus();
  return true;
}

/** Opens the row that something is in. @returns whether it can be opened */
export function openRow(target: EventTarget | null): boolean {
  const link = rowAt(target)?.querySelector<HTMLElement>("a[href]");
  link?.click();
  return Boolean(link);
}
