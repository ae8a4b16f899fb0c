/**
 * Works while the page is being left, too.
 * @param entry a search of the dialog, or the result that was opened on the page of a logged search. `opened` is its URL.
 */
export function logSearch(
  entry: { text: string; opened: string | false } | { search: string; text: string; opened: string },
): void {
  navigator.sendBeacon("/search/log", new Blob([JSON.stringify(entry)], { type: "application/json" }));
}
