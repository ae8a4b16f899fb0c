"use client";

import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { startTransition, useState } from "react";
import { moveOne } from "@/components/admin/articles/bulk-bar";
import { ActionsMenu } from "@/components/ui/actions-menu";
import { announce, ToastHere } from "@/components/ui/toast";

/**
 * What can be done with one article of a list.
 * @param path where readers find it, if it is published
 * @param formId the form of the list, whose bulk bar moves articles
 */
export function ArticleMenu({
  id,
  title,
  path,
  hasDraft,
  mayPublish,
  formId,
  duplicate,
}: {
  id: string;
  title: string;
  path: string | null;
  hasDraft: boolean;
  mayPublish: boolean;
  formId: string;
  duplicate: (form: FormData) => Promise<void>;
}) {
  const [at, setAt] = useState<DOMRect | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const here = `/admin/articles/${id}`;
  const copy = async (address: string) => {
    const link = new URL(address, location.href).href;
    const text = await navigator.clipboard.writeText(link).then(
      () => "Link copied",
      // Pages without https have no clipboard.
      () => link,
    );
    setSaid(text);
    announce(text);
  };
  return (
    <>
      <button
        type="button"
        aria-label={`Actions for ${title}`}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={({ currentTarget }) => setAt(currentTarget.getBoundingClientRect())}
        className="flex size-11 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text md:size-8"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </button>
      {at && (
        <ActionsMenu
          label={`Actions for ${title}`}
          at={at}
          entries={[
            { name: "Edit", does: here },
            ...(path
              ? [
                  { name: "View", does: path },
                  { name: "Copy link", does: () => void copy(path) },
                ]
              : [{ name: "Preview", does: `${here}/preview` }]),
            ...(hasDraft || mayPublish
              ? [
                  {
                    name: mayPublish ? (hasDraft ? "Publish…" : "Unpublish…") : "Ask to publish",
                    does: `${here}/publish`,
                  },
                ]
              : []),
            { name: "Move…", does: () => moveOne(formId, id) },
            {
              name: "Duplicate",
              does: () => {
                const form = new FormData();
                form.set("id", id);
                startTransition(() => duplicate(form));
              },
            },
            { name: "Versions", does: `${here}/versions` },
            { name: "Delete…", does: `${here}/delete`, danger: true, apart: true },
          ]}
          onClose={() => setAt(null)}
          link={(href, props, children) => (
            <Link href={href} prefetch={false} {...props}>
              {children}
            </Link>
          )}
        />
      )}
      {said && (
        <ToastHere text={said} onClose={() => setSaid(null)}>
          {null}
        </ToastHere>
      )}
    </>
  );
}
