/**
 * Where the Markdown of a page is answered, or null when the page itself is asked for. The folder is beside
 * `app/sites`, where no path of a workspace's host leads by itself. Pure, for the middleware.
 * @param path as the host was asked for it
 * @param accept the header of that name
 */
export function markdownPath(subdomain: string, path: string, accept: string | null): string | null {
  const file = /^\/(articles|categories)\/([^/]+?)(\.md)?$/.exec(path);
  // A dot segment would lead out of the folder, to the Markdown of another workspace.
  if (file && /^(?:\.|%2e){1,2}$/i.test(file[2] ?? "")) return null;
  if (file && (file[3] || prefersMarkdown(accept))) return `/markdown/${subdomain}/${file[1]}/${file[2]}`;
  return path === "/" && prefersMarkdown(accept) ? `/sites/${subdomain}/llms.txt` : null;
}

/** Whether an answer at this path depends on what is accepted. */
export function hasMarkdown(path: string): boolean {
  return /^\/((articles|categories)\/[^/]+)?$/.test(path) && !path.endsWith(".md");
}

/** Browsers never name it. Who names it and HTML alike is answered in Markdown. */
export function prefersMarkdown(accept: string | null): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight) || 0);
  }
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}
