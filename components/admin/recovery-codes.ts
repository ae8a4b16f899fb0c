import type { ShownOnce } from "./shown-once";

export const recoveryCodes = (codes: readonly string[]): ShownOnce => ({
  title: "Save your recovery codes",
  advice: "Each one signs you in once if you lose your phone. Keep them safe. You won't see them again.",
  texts: [{ name: "Recovery codes", text: codes.join("\n"), copy: "Copy the recovery codes" }],
});
