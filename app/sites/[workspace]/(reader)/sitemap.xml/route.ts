import { sitemapIndex } from "@/lib/published-addresses";
import { publicFile } from "../_public-file";

// By its name Next takes it for a file that is made once, when it is built.
export const dynamic = "force-dynamic";

export function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return publicFile(request, context, "application/xml; charset=utf-8", (sight, { home }) => sitemapIndex(sight, home));
}
