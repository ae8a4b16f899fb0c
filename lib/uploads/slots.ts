import { Slots } from "@/lib/slots";

/** Four at once for a workspace or a network, and sixteen by the process: each file is in memory until it is stored. */
const slots = new Slots(4, 16);

/**
 * Takes one of the places for files that are being uploaded.
 * @returns what gives it back, once; null when none is free
 */
export function takeSlot(workspaceId: string, network: string): (() => void) | null {
  return slots.take(`workspace ${workspaceId}`, `network ${network}`);
}
