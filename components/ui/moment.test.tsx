import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Moment } from "@/components/ui/moment";

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

test.each([
  [7 * DAY - SECOND, "in 7 days"],
  [30 * DAY - SECOND, "in 30 days"],
  [DAY - SECOND, "in 24 hours"],
  [1.4 * DAY, "tomorrow"],
  [30 * SECOND, "in less than a minute"],
  [0, "just now"],
  [-2 * HOUR + SECOND, "1 hour ago"],
  [-7 * DAY + SECOND, "6 days ago"],
])("a time that is %d ms from now is spoken of as %s", (ms, spoken) => {
  const now = new Date("2026-11-22T12:00:00Z");
  const shown = renderToStaticMarkup(<Moment at={new Date(now.getTime() + ms)} now={now} timeZone="UTC" />);
  expect(shown.replace(/<[^>]*>/g, "")).toBe(spoken);
});
