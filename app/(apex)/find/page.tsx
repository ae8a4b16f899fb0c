import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { Notice } from "@/components/ui/notice";
import { FindForm } from "./_find-form";

export const metadata: Metadata = { title: "Find your knowledge base · Lectern" };

export default async function FindPage() {
  await connection();
  return (
    <Notice title="Find your knowledge base">
      <FindForm />
      <p className="mt-4 text-sm text-text-muted">
        <Link href="/" prefetch={false}>
          Back
        </Link>
      </p>
    </Notice>
  );
}
