/** The number of the page that a query asks for; 0, which none has, for what is no number. */
export function pageNumber(page: string | string[] = "1"): number {
  return typeof page === "string" && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 0;
}
