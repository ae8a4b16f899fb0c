/**
 * Formats a time, such as "November 22, 2026 at 2:30 PM".
 * @param timeZone an IANA name
 */
export function formatTime(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone }).format(at);
}
