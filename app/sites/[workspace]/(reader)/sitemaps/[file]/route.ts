import { sitemapFile } from "@/lib/reader/sitemap";
import { publicFile } from "../../_public-file";

/** `/sitemaps/<number>.xml` */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; file: string }> }) {
  const number = Number(/^([1-9]\d{0,5})\.xml$/.exec((await context.params).file)?.[1]);
  return publicFile(request, context, "application/xml; charset=utf-8", async (snapshot, { home }) =>
    number ? sitemapFile(snapshot, number, home) : null,
  );
}
