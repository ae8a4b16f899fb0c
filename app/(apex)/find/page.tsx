import type { Metadata } from "next";
import { connection } from "next/server";
import { Notice } from "@/components/ui/notice";
import { ApexFrame } from "../_frame";
import { FindForm } from "./_find-form";

export const metadata: Metadata = { title: "Find your knowledge base · Lectern" };

export default async function FindPage() {
  await connection();
  return (
    <ApexFrame>
      <Notice title="Find your knowledge base">
        <FindForm />
      </Notice>
    </ApexFrame>
  );
}
