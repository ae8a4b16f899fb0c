/** Tells what was searched and opened, also while the page is being left. */
export function tellSearch(said: { text: string; opened: boolean } | { search: string; opened: true }): void {
  navigator.sendBeacon("/search/log", new Blob([JSON.stringify(said)], { type: "application/json" }));
}
