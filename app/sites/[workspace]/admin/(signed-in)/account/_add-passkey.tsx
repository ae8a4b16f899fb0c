"use client";

import { ButtonLink } from "@/components/ui/button-link";
import { useHasPasskeys } from "../../_passkeys";

export function AddPasskey() {
  if (!useHasPasskeys()) return null;
  return (
    <ButtonLink href="/admin/account/passkeys/new" look="plain">
      Add passkey
    </ButtonLink>
  );
}
