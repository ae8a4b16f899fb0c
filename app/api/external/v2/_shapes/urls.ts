import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";

/** A workspace's absolute URLs (contract 52). They come from settings, never from a header. */
export interface Urls {
  home: string;
  article(slug: string, heading?: string): string;
  category(slug: string): string;
  upload(id: string): string;
  avatar(memberId: string): string;
  absoluteImages(html: string): string;
}

export function urlsOf(workspace: { subdomain: string }): Urls {
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  return {
    home,
    article: (slug, heading) => `${home}/articles/${slug}${heading ? `#${encodeURIComponent(heading)}` : ""}`,
    category: (slug) => `${home}/categories/${slug}`,
    upload: (id) => `${home}/uploads/${id}`,
    avatar: (memberId) => `${home}/avatars/${memberId}.svg`,
    absoluteImages: (html) =>
      // Clean HTML escapes "<" in text and quotes in attributes, so this matches only tags.
      html.replace(/<img(?:[^>"]|"[^"]*")*>/g, (tag) => tag.replace(/ src="\/(?!\/)/, ` src="${home}/`)),
  };
}
