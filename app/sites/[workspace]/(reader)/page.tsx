import type { Metadata } from "next";
import { HomePage } from "@/components/reader/home";
import { homeMetadata, homePage, readHomePage } from "@/lib/reader/home-page";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { Frame } from "./_frame";
import { requireMembersOnly } from "./_unknown";

interface Props {
  params: Promise<{ workspace: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return homeMetadata(await publicWorkspace((await params).workspace));
}

/** Renders the home page for members. For visitors, server/documents renders it with the same component. */
export default async function Page({ params }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { nav, home } = await readAsVisitor(workspace, readHomePage);
  await requireMembersOnly(workspace, nav);
  return (
    <Frame workspace={workspace} nav={nav} plain>
      <HomePage {...homePage(workspace, home)} />
    </Frame>
  );
}
