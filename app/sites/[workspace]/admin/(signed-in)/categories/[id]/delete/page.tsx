import type { Metadata } from "next";
import { RemovalPage } from "../../_removal";
import { submitDelete } from "../../actions";

export const metadata: Metadata = { title: "Delete category" };

export default function DeleteCategoryPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  return <RemovalPage params={params} as="delete" action={submitDelete} />;
}
