"use client";

import Link from "next/link";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";

/** Replaces a page that could not be rendered or an action that failed. */
export default function Failed({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <AdminPage title="Something went wrong">
      <p className="max-w-[36rem]">
        The server couldn't complete your request. If you were saving, check whether your change was saved before you
        try again.
      </p>
      <p className="mt-5 flex flex-wrap items-center gap-4">
        <Button type="button" onClick={retry}>
          Try again
        </Button>
        <Link href="/admin" prefetch={false}>
          Go to Home
        </Link>
      </p>
      {error.digest && (
        <p className="mt-8 text-text-muted">
          If it happens again, contact the operator of this installation. Error number: <code>{error.digest}</code>
        </p>
      )}
    </AdminPage>
  );
}
