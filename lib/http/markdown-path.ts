/** Null if the page itself is wanted. */
export function markdownPath(subdomain: string, path: string, accept: string | null): string | null {
  const file = /^\/(articles|categories)\/([^/]+?)(\.md)?$/.exec(path);
  // A dot segment would reach another workspace's Markdown.
  if (file && /^(?:\.|%2e){1,2}$/i.test(file[2] ?? "")) return null;
  if (file && (file[3] || prefersMarkdown(accept))) return `/markdown/${subdomain}/${file[1]}/${file[2]}`;
  return path === "/" && prefersMarkdown(accept) ? `/sites/${subdomain}/llms.txt` : null;
}

export function hasMarkdown(path: string): boolean {
  return /^\/((articles|categories)\/[^/]+)?$/.test(path) && !path.endsWith(".md");
}

/** Browsers never accept Markdown. On a tie with HTML it wins. */
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
