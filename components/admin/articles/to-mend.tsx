"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { lookUp } from "@/components/admin/look-up";
import { useHydrated } from "@/components/ui/hydrated";

/** The most issues listed here. The editor lists all of them. */
const MOST = 20;

const lacks = {
  title: "It has no title: readers would find “Untitled”.",
  text: "It has no text: readers would find a title alone.",
};

/**
 * The editor's issues for an article, shown before publishing. They do not prevent publishing. Without scripts, only
 * the server's findings appear.
 * @param lack the missing part
 * @param here the URL of the article's editor
 */
export function ToMend({
  articleId,
  title,
  html,
  lack,
  here,
}: {
  articleId: string;
  title: string;
  html: string;
  lack: keyof typeof lacks | null;
  here: string;
}) {
  const hydrated = useHydrated();
  const [found, setFound] = useState<{ says: string[]; isUnknown: boolean } | null>(null);
  useEffect(() => {
    let isOver = false;
    void findingsOf(articleId, title, html).then(
      (answer) => isOver || setFound(answer),
      () => isOver || setFound({ says: [], isUnknown: true }),
    );
    return () => {
      isOver = true;
    };
  }, [articleId, title, html]);
  const says = [...(lack ? [lacks[lack]] : []), ...(found?.says ?? [])];
  if (!hydrated && says.length === 0) return null;
  return (
    <section aria-labelledby="to-mend" className="grid gap-2 rounded-md border border-border px-3.5 py-3">
      <h3 id="to-mend" className="text-sm">
        To mend
      </h3>
      {says.length > 0 && (
        <>
          <ul className="grid list-disc gap-1 pl-5">
            {says.slice(0, MOST).map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two issues can have the same message
              <li key={index} className="wrap-anywhere">
                {one}
              </li>
            ))}
          </ul>
          <p className="text-text-muted">
            {says.length > MOST && `And ${says.length - MOST} more. `}
            <Link href={here} prefetch={false}>
              Mend it in the editor
            </Link>
            , or publish it as it is.
          </p>
        </>
      )}
      <p role="status" className="text-text-muted empty:hidden">
        {hydrated && !found && "Looking at links, images and headings …"}
        {found?.isUnknown && "Links to other articles and the title cannot be looked up at the moment."}
        {found && !found.isUnknown && says.length === 0 && "Nothing."}
      </p>
    </section>
  );
}

/** Loads the editor's schema after the page, then runs its checks. */
async function findingsOf(articleId: string, title: string, html: string) {
  const [{ documentOf }, { lookupOf, findingsIn }] = await Promise.all([
    import("@/components/admin/editor/schema/html"),
    import("@/components/admin/editor/checks/findings"),
  ]);
  const read = documentOf(html);
  const known = await lookUp(articleId, lookupOf(read, title, location.origin)).catch(() => null);
  const says = findingsIn(read, title, location.origin, known).map((finding) => finding.says);
  return { says, isUnknown: known === null };
}
