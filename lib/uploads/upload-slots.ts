import { Slots } from "@/lib/slots";

// Each file is in memory until it is stored.
const slots = new Slots(4, 16);

export function takeUploadSlot(workspaceId: string, network: string): (() => void) | null {
  return slots.take(`workspace ${workspaceId}`, `network ${network}`);
}
