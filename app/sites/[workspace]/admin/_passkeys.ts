"use client";

import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether this browser has passkeys. False without scripts, and on hosts without https. */
export const useHasPasskeys = () => useSyncExternalStore(never, browserSupportsWebAuthn, () => false);
