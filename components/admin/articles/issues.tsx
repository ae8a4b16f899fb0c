"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { lookUp } from "@/components/admin/look-up";
import { countOf } from "@/components/ui/count";

/** The most issues listed here. The editor lists all of them. */
const MOST = 20;

const lacks = {
  title: "The article has no title.",
  text: "The article has no text.",
};

/** The part of an article that is missing. */
export type Lack = keyof typeof lacks;

/**
 * The editor's issues for an article, shown before publishing. They do not prevent publishing. Without scripts, only
 * the server's findings appear.
 * @param here the URL of the article's editor, unless this is it
 */
export function Issues({
  articleId,
  title,
  html,
  lack,
  here,
}: {
  articleId: string;
  title: string;
  html: string;
  lack: Lack | null;
  here?: string;
}) {
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
  return (
    <section
      aria-label="Issues"
      className={`grid gap-2 rounded-md border border-border px-3.5 py-3 ${says.length === 0 ? "noscript:hidden" : ""}`}
    >
      {says.length > 0 && (
        <>
          <h3 className="text-sm font-medium">{countOf(says.length, "issue")}</h3>
          <ul className="grid list-disc gap-1 pl-5">
            {says.slice(0, MOST).map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two issues can have the same message
              <li key={index} className="wrap-anywhere">
                {one}
              </li>
            ))}
          </ul>
          {says.length > MOST && <p className="text-text-muted">{`And ${says.length - MOST} more`}</p>}
          {here && (
            <p>
              <Link href={here} prefetch={false}>
                Fix in editor
              </Link>
            </p>
          )}
        </>
      )}
      {/* Always one line, or the button below would move under a click. */}
      <p role="status" className="text-text-muted noscript:hidden">
        {statusOf(found, says.length)}
      </p>
    </section>
  );
}

function statusOf(found: { isUnknown: boolean } | null, issues: number): string {
  if (!found) return "Checking links, images, and headings…";
  if (found.isUnknown) return "Couldn't check the links and the title.";
  return issues > 0 ? "Checked links, images, and headings" : "No issues";
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
