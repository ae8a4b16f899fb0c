import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { takeSlot } from "./slots";

test("four files of a workspace are taken at once, four from a network, and sixteen in all, until one is done", () => {
  const [workspace, network] = [randomUUID(), randomUUID()];
  const places = Array.from({ length: 4 }, () => takeSlot(workspace, randomUUID()));
  expect([places.every(Boolean), takeSlot(workspace, randomUUID())]).toEqual([true, null]);
  places[0]?.();
  places[0] = takeSlot(workspace, randomUUID());
  expect([places[0] !== null, takeSlot(workspace, randomUUID())]).toEqual([true, null]);

  for (let others = 0; others < 4; others++) places.push(takeSlot(randomUUID(), network));
  expect([places.every(Boolean), takeSlot(randomUUID(), network)]).toEqual([true, null]);
  for (let others = 0; others < 8; others++) places.push(takeSlot(randomUUID(), randomUUID()));
  expect([places.every(Boolean), takeSlot(randomUUID(), randomUUID())]).toEqual([true, null]);
  for (const free of places) free?.();
  expect(takeSlot(workspace, network)).not.toBeNull();
});
