"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";

/** Where the article is and whose it is. Changes apply immediately, without publishing. */
export interface Place {
  slug: string;
  categoryId: string;
  authorId: string;
  /** Another author, by name or email. */
  authorName: string;
}

/** Timeout in milliseconds. */
const PATIENCE = 15_000;

/** Saves each field as soon as it changes, one request at a time. */
export function usePlace(articleId: string, writerId: string, stored: Place) {
  const router = useRouter();
  const [changed, setChanged] = useState<Partial<Place>>({});
  const [errors, setErrors] = useState<Partial<Record<keyof Place, string>>>({});
  const [waiting, setWaiting] = useState(0);
  /** The last change that the server took, and the value before it. */
  const [done, setDone] = useState<{ field: keyof Place; before: string } | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const refused = useRef(new Set<keyof Place>());
  /** The values that the server took, which the page shows only after its next refresh. */
  const saved = useRef<Partial<Place>>({});
  const place = { ...stored, ...changed };

  async function send(field: keyof Place, value: string): Promise<boolean> {
    const answer = await fetch(`/api/drafts/${articleId}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ writer: writerId, [field]: value }),
      keepalive: true,
      signal: AbortSignal.timeout(PATIENCE),
    }).catch(() => null);
    const said = (await answer?.json().catch(() => null)) as { slug?: string; error?: string } | null | undefined;
    if (!answer?.ok || said?.slug === undefined) {
      refused.current.add(field);
      setErrors((before) => ({ ...before, [field]: said?.error ?? "Couldn't save. Check your connection." }));
      return false;
    }
    const { slug } = said;
    saved.current[field] = field === "slug" ? slug : value;
    // The server normalizes slugs.
    setChanged((before) => (field === "slug" && before.slug === value ? { ...before, slug } : before));
    return true;
  }

  const show = (field: keyof Place, value: string) => {
    setChanged((before) => ({ ...before, [field]: value }));
    setErrors(({ [field]: _, ...others }) => others);
    refused.current.delete(field);
  };

  return {
    place,
    errors,
    isSaving: waiting > 0,
    done,
    forget: () => setDone(null),

    /** Shows a value without saving it, while it is typed. */
    type: show,

    /** @param before the stored value, for undo */
    save: (field: keyof Place, value: string, before: string = saved.current[field] ?? stored[field]) => {
      show(field, value);
      if (value === before) return;
      setDone(null);
      setWaiting((count) => count + 1);
      queue.current = queue.current.then(async () => {
        if (await send(field, value)) {
          // A name that was typed has become the chosen author.
          const isNamed = field === "authorName";
          if (isNamed) saved.current = {};
          if (isNamed) setChanged(({ authorName: _, authorId: __, ...others }) => others);
          setDone(isNamed ? { field: "authorId", before: stored.authorId } : { field, before });
          router.refresh();
        }
        setWaiting((count) => count - 1);
      });
    },

    /** Waits for the running requests. @returns whether every field is saved */
    settled: () => queue.current.then(() => refused.current.size === 0),
  };
}
