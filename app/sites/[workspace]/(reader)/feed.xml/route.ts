import { env } from "@/lib/env";
import { atomFeed } from "@/lib/reader/feed";
import { publicFile } from "../_public-file";

export function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return publicFile(request, context, "application/atom+xml; charset=utf-8", (snapshot, workspace) =>
    atomFeed(snapshot, workspace, new URL(env().baseUrl).hostname),
  );
}
