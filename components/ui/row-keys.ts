/** The rows of a page's table, in display order. */
export function rowsOf(page: Document): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>("main tbody tr")];
}

export function filterOf(page: Document): HTMLInputElement | null {
  return page.querySelector<HTMLInputElement>('main [role="search"] input[type="search"]');
}

const rowAt = (target: EventTarget | null) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>("main tbody tr") : null;

export function inRow(target: EventTarget | null): boolean {
  return rowAt(target) !== null;
}

/**
 * Focuses the next or previous row, at first the first row. In a row, focuses its main link, otherwise its first
 * button, otherwise the row itself.
 * @returns whether there are any rows
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

/** Opens the row that contains an element. @returns whether the row has a link to open */
export function openRow(target: EventTarget | null): boolean {
  const link = rowAt(target)?.querySelector<HTMLElement>("a[href]");
  link?.click();
  return Boolean(link);
}

/** Ticks or unticks the row that contains an element. @returns whether the row has a checkbox */
export function selectRow(target: EventTarget | null): boolean {
  const box = rowAt(target)?.querySelector<HTMLInputElement>("input[type=checkbox]:enabled");
  box?.click();
  return Boolean(box);
}
