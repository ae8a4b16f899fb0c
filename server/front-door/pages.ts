import { readFileSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { siteOfHost } from "@/lib/http/host";

interface Page {
  name: string;
  pattern: RegExp;
}

/** Total characters of the remembered paths. Every page request needs a name, and there are over a hundred patterns to try. */
const MOST_REMEMBERED = 200_000;

/**
 * Names the page that answers a path at a host by its folder, or null. Always null without a build, as in development.
 * @param build Next's folder
 */
export function pageNames(build: string, baseUrl: string): (host: string, path: string) => string | null {
  const pages = pagesOf(build);
  const remembered = new LRUCache<string, { name: string | null }>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: (_, path) => path.length + 1,
  });
  return (host, path) => {
    const site = siteOfHost(host, baseUrl);
    const whole = site.kind === "subdomain" && !path.startsWith("/api/") ? `/sites/${site.subdomain}${path}` : path;
    const plain = whole.length > 1 ? whole.replace(/\/$/, "") : whole;
    const known = remembered.get(plain);
    if (known) return known.name;
    const name = pages.find(({ pattern }) => pattern.test(plain))?.name ?? null;
    remembered.set(plain, { name });
    return name;
  };
}

function pagesOf(build: string): Page[] {
  let manifest: Record<string, string>;
  try {
    manifest = JSON.parse(readFileSync(`${build}/app-path-routes-manifest.json`, "utf8")) as Record<string, string>;
  } catch {
    return [];
  }
  const dynamics = (name: string) => name.split("[").length;
  return (
    Object.values(manifest)
      // Pages for any path are 404 pages.
      .filter((name) => !name.includes("[...path]") && !name.startsWith("/_"))
      .sort((a, b) => dynamics(a) - dynamics(b))
      .map((name) => {
        const segments = name.split("/").map((segment) => {
          if (segment.startsWith("[...")) return ".+";
          return segment.startsWith("[") ? "[^/]+" : segment.replace(/[.*+?^${}()|\\]/g, "\\$&");
        });
        return { name, pattern: new RegExp(`^${segments.join("/")}$`) };
      })
  );
}
