import { readFileSync } from "node:fs";
import { siteOfHost } from "@/lib/host";

interface Page {
  name: string;
  pattern: RegExp;
}

/**
 * Names the pages that a build has, as the folders they are in: what a path at a host leads to, or null. Without a
 * build, which development has none of, every path leads to null.
 * @param build Next's folder
 */
export function pageNames(build: string, baseUrl: string): (host: string, path: string) => string | null {
  const pages = pagesOf(build);
  return (host, path) => {
    const site = siteOfHost(host, baseUrl);
    const whole = site.kind === "subdomain" && !path.startsWith("/api/") ? `/sites/${site.subdomain}${path}` : path;
    const asked = whole.length > 1 ? whole.replace(/\/$/, "") : whole;
    return pages.find(({ pattern }) => pattern.test(asked))?.name ?? null;
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
      // Those that take any path are for what is not there.
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
