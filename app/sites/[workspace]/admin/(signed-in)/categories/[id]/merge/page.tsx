import type { Metadata } from "next";
import { RemovalPage } from "../../_removal";
import { submitMerge } from "../../actions";

export const metadata: Metadata = { title: "Merge category" };

export default function MergeCategoryPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  return <RemovalPage params={params} as="merge" action={submitMerge} />;
}
