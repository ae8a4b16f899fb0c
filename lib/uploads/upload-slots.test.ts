import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { takeUploadSlot } from "./upload-slots";

test("at most four files of a workspace, four of a network and sixteen in total are uploaded concurrently", () => {
  const [workspace, network] = [randomUUID(), randomUUID()];
  const places = Array.from({ length: 4 }, () => takeUploadSlot(workspace, randomUUID()));
  expect([places.every(Boolean), takeUploadSlot(workspace, randomUUID())]).toEqual([true, null]);
  places[0]?.();
  places[0] = takeUploadSlot(workspace, randomUUID());
  expect([places[0] !== null, takeUploadSlot(workspace, randomUUID())]).toEqual([true, null]);

  for (let others = 0; others < 4; others++) places.push(takeUploadSlot(randomUUID(), network));
  expect([places.every(Boolean), takeUploadSlot(randomUUID(), network)]).toEqual([true, null]);
  for (let others = 0; others < 8; others++) places.push(takeUploadSlot(randomUUID(), randomUUID()));
  expect([places.every(Boolean), takeUploadSlot(randomUUID(), randomUUID())]).toEqual([true, null]);
  for (const free of places) free?.();
  expect(takeUploadSlot(workspace, network)).not.toBeNull();
});
