import type { Metadata } from "next";
import { publicWorkspace } from "@/lib/site";
import { UnknownPage, unknownMetadata } from "../_unknown";

interface Props {
  params: Promise<{ workspace: string; path: string[] }>;
}

/** All paths without a page of their own. */
export default async function AnyOtherPage({ params }: Props) {
  const { workspace, path } = await params;
  return <UnknownPage workspace={await publicWorkspace(workspace)} path={pathOf(path)} />;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { workspace, path } = await params;
  return unknownMetadata(await publicWorkspace(workspace), pathOf(path));
}

/** The front door rejects paths that cannot be decoded. */
function pathOf(segments: string[]): string {
  return `/${segments.map(decodeURIComponent).join("/")}`;
}
