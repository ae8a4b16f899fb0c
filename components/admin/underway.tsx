"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { ButtonLink } from "@/components/ui/button-link";

/** Refreshes the page until the page leaves it out, because the work is done. */
export function Refreshing() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, 2_000);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}

/** @param total 0 while unknown */
export function Underway({
  doing,
  done,
  total,
  here,
  children,
}: {
  doing: string;
  done: number;
  total: number;
  here: string;
  children: ReactNode;
}) {
  return (
    <div className="grid max-w-[28rem] gap-3">
      <Refreshing />
      <p role="status">
        {doing}
        {total > 0 && `: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`}
      </p>
      <progress
        aria-label={doing}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-border [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-border [&::-webkit-progress-value]:bg-accent"
        {...(total > 0 && { value: done, max: total })}
      />
      <p className="text-text-muted">You can leave this page.</p>
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink href={here} look="plain" size="small">
          Refresh
        </ButtonLink>
        {children}
      </div>
    </div>
  );
}
