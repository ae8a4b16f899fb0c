import { sitemapIndex } from "@/lib/reader/sitemap";
import { publicFile } from "../_public-file";

// Next would make a file of this name at build time.
export const dynamic = "force-dynamic";

export function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return publicFile(request, context, "application/xml; charset=utf-8", (snapshot, { home }) =>
    sitemapIndex(snapshot, home),
  );
}
