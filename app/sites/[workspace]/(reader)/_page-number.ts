/** The `page` parameter; 0 when it is not a valid number, because no page has that number. */
export function pageNumber(page: string | string[] = "1"): number {
  return typeof page === "string" && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 0;
}
