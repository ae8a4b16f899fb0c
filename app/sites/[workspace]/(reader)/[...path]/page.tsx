import type { Metadata } from "next";
import { publicWorkspace } from "@/lib/site";
import { UnknownPage, unknownMetadata } from "../_unknown";

interface Props {
  params: Promise<{ workspace: string; path: string[] }>;
}

/** Every address of a workspace that has no page of its own. */
export default async function AnyOtherPage({ params }: Props) {
  const { workspace, path } = await params;
  return <UnknownPage workspace={await publicWorkspace(workspace)} path={pathOf(path)} />;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { workspace, path } = await params;
  return unknownMetadata(await publicWorkspace(workspace), pathOf(path));
}

/** The front door lets no path in that cannot be decoded. */
function pathOf(segments: string[]): string {
  return `/${segments.map(decodeURIComponent).join("/")}`;
}
