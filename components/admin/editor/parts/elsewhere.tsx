"use client";

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";

/** The host of an image on another site, from which it could disappear. Null for images on this site. */
export function hostElsewhere(src: string, origin: string): string | null {
  const url = URL.canParse(src, `${origin}/`) ? new URL(src, `${origin}/`) : null;
  return url && /^https?:$/.test(url.protocol) && url.origin !== origin ? url.host : null;
}

/** The URLs of images on other sites. */
export function imagesElsewhere(content: Node, origin: string): string[] {
  const found = new Set<string>();
  content.descendants(({ attrs: { src } }) => {
    if (typeof src === "string" && hostElsewhere(src, origin)) found.add(src);
  });
  return [...found];
}

/**
 * Asks whether to keep pasted images that are hosted on other sites. The server downloads no copies, because a URL could
 * point into its own network.
 */
export function Elsewhere({ editor, images, onClose }: { editor: Editor; images: string[]; onClose: () => void }) {
  const hosts = new Set(images.map((src) => new URL(src).host));
  const [first] = hosts;
  const isOne = images.length === 1;
  const remove = () => {
    onClose();
    editor.commands.focus();
    const { tr, doc } = editor.state;
    doc.descendants((node, at) => {
      if (!images.includes(String(node.attrs.src))) return;
      const start = tr.mapping.map(at);
      tr.delete(start, start + node.nodeSize);
    });
    editor.view.dispatch(tr);
  };
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 border-t border-border px-4 py-1 text-sm md:px-6">
      <p className="grow py-1">
        {isOne ? "1 pasted image is" : `${images.length} pasted images are`} hosted on{" "}
        {hosts.size === 1 ? first : "other sites"} and could disappear. Upload {isOne ? "a copy" : "copies"} to be safe.
      </p>
      <button type="button" onClick={onClose} className={look}>
        Keep
      </button>
      <button type="button" onClick={remove} className={look}>
        Remove
      </button>
    </div>
  );
}

const look = "h-11 shrink-0 cursor-pointer rounded-sm px-2 font-medium hover:bg-highlight md:h-8";
