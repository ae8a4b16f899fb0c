import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { readerMetadata } from "@/lib/reader/metadata";
import { type Home, homeOf, publishedNav } from "@/lib/reader/published-categories";
import { siteThing } from "@/lib/reader/structured-data";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import type { Snapshot } from "@/lib/visibility";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";

export async function readHomePage(snapshot: Snapshot) {
  return { nav: await publishedNav(snapshot), home: await homeOf(snapshot) };
}

/** The props of `HomePage` in components/reader/home.tsx. */
export function homePage(workspace: PublicWorkspace, home: Home) {
  const thing = siteThing(workspace, workspaceUrl(workspace.subdomain, env().baseUrl));
  return { workspace, home, words: wordsFor(workspace.language), thing };
}

export function homeMetadata(workspace: PublicWorkspace) {
  const { language, home } = wordsFor(workspace.language);
  return readerMetadata(workspace, { path: "/", description: say(language, home.about, { name: workspace.name }) });
}
