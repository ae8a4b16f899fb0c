import { llmsText } from "@/lib/reader/reader-markdown";
import { publicFile } from "../_public-file";

/** Also the Markdown version of the start page. */
export function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return publicFile(request, context, "text/markdown; charset=utf-8", llmsText);
}
