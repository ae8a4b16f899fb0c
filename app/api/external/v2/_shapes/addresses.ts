import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";

/** The absolute addresses of one workspace's pages (contract 52). They come from settings, never from a header. */
export interface Addresses {
  home: string;
  article(slug: string): string;
  category(slug: string): string;
  upload(id: string): string;
  /** The picture drawn for a member who has none (contract 41a). */
  avatar(memberId: string): string;
  /** Clean HTML with its images at absolute addresses (contract 41a). */
  absoluteImages(html: string): string;
}

export function addressesOf(workspace: { subdomain: string }): Addresses {
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  return {
    home,
    article: (slug) => `${home}/articles/${slug}`,
    category: (slug) => `${home}/categories/${slug}`,
    upload: (id) => `${home}/uploads/${id}`,
    avatar: (memberId) => `${home}/avatars/${memberId}.svg`,
    absoluteImages: (html) =>
      // A tag is a tag: the pipeline escapes every "<" of text, and quotes in attributes.
      html.replace(/<img(?:[^>"]|"[^"]*")*>/g, (tag) => tag.replace(/ src="\/(?!\/)/, ` src="${home}/`)),
  };
}
