"use client";

import { type ComponentProps, useEffect } from "react";
import { Toast } from "@/components/ui/toast";

/** The message of the last action. An action that a script sends renders the next page itself: the cookie is still there. */
export function FlashMessage(toast: ComponentProps<typeof Toast>) {
  useEffect(() => {
    // A failure shows the message once more, within its minute.
    fetch("/admin/flash", { method: "DELETE" }).catch(() => undefined);
  }, []);
  return <Toast {...toast} />;
}
