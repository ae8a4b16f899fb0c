import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Monogram } from "@/components/ui/monogram";
import { currentMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { SignInForm } from "./form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ params }: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await params).workspace);
  if (await currentMember(workspace.subdomain)) redirect("/admin");
  return (
    <main className="mx-auto max-w-[24rem] px-5 py-16 md:py-28">
      <Monogram name={workspace.name} />
      <h1 className="mt-6 mb-8 text-xl break-words">Sign in to {workspace.name}</h1>
      <SignInForm />
      <p className="mt-8 text-sm text-text-muted">
        <Link href="/" prefetch={false}>
          Back to the knowledge base
        </Link>
      </p>
    </main>
  );
}
