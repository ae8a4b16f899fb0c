"use client";

import { type ComponentProps, useEffect } from "react";
import { Toast } from "@/components/ui/toast";

/**
 * The message of the last action. A scripted action renders the next page in the same response, so the cookie is still
 * set.
 */
export function FlashMessage(toast: ComponentProps<typeof Toast>) {
  useEffect(() => {
    // If this fails, the message appears again on pages loaded within its minute.
    fetch("/admin/flash", { method: "DELETE" }).catch(() => undefined);
  }, []);
  return <Toast {...toast} />;
}
