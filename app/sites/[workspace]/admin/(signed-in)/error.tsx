"use client";

import Link from "next/link";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";

/** Replaces a page that could not be rendered or an action that failed. */
export default function Failed({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <AdminPage title="This did not work">
      <p className="max-w-[36rem]">
        The server did not answer as it should. Try again in a few seconds; if you were saving something, look first
        whether it is saved.
      </p>
      <p className="mt-5 flex flex-wrap items-center gap-4">
        <Button type="button" onClick={retry}>
          Try again
        </Button>
        <Link href="/admin" prefetch={false}>
          Go to the dashboard
        </Link>
      </p>
      {error.digest && (
        <p className="mt-8 text-text-muted">
          If it happens again, tell whoever runs this installation, with this number: <code>{error.digest}</code>
        </p>
      )}
    </AdminPage>
  );
}
