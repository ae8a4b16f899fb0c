/** Works while the page is being left, too. */
export function logSearch(entry: { text: string; opened: boolean } | { search: string; opened: true }): void {
  navigator.sendBeacon("/search/log", new Blob([JSON.stringify(entry)], { type: "application/json" }));
}
