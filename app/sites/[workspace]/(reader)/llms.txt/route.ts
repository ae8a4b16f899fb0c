import { llmsText } from "@/lib/reader-markdown";
import { publicFile } from "../_public-file";

/** Markdown, whatever its name: the start page leads here whoever asks it for Markdown. */
export function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return publicFile(request, context, "text/markdown; charset=utf-8", llmsText);
}
