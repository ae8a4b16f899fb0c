import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { findWorkspace, onlyWorkspace } from "@/lib/workspaces/workspaces";

export const metadata: Metadata = {
  description: "Lectern is a place for the answers that people ask you for again and again.",
};

/** Names no workspace, except the manual in a first run and the only one of an installation. */
export default async function ApexPage() {
  await connection();
  const { baseUrl, quickstart, workspaceCreation } = env();
  if (!workspaceCreation) {
    const only = await onlyWorkspace();
    if (only) redirect(workspaceUrl(only.subdomain, baseUrl));
    return (
      <Notice title="Lectern">
        <p>There are knowledge bases here, each at an address of its own.</p>
        <HowAddressesAreMade />
        <div>
          <ButtonLink href="/find">Find yours</ButtonLink>
        </div>
      </Notice>
    );
  }
  const manual = quickstart ? await findWorkspace("demo") : null;
  return (
    <Notice title="Lectern">
      <p className="text-lg leading-normal text-pretty">
        A place for the answers that people ask you for again and again: written once, easy to find, at an address of
        your own.
      </p>
      <p>
        You write articles and put them in categories. Your readers search, also with misspelt words, and need no
        account. Programs read and change the same articles through an API.
      </p>
      <div className="my-2 flex flex-wrap gap-3">
        <ButtonLink href="/new">Make a knowledge base</ButtonLink>
        <ButtonLink href="/find" look="plain">
          Find yours
        </ButtonLink>
      </div>
      {manual && (
        <p>
          New here? <Link href={workspaceUrl(manual.subdomain, baseUrl)}>Read the manual</Link>, which is a knowledge
          base itself.
        </p>
      )}
      <div className="mt-6 grid gap-4 border-t border-border pt-8">
        <HowAddressesAreMade />
      </div>
    </Notice>
  );
}

function HowAddressesAreMade() {
  return (
    <>
      <p>You know the name of yours? It stands in front of this domain, and members sign in at /admin:</p>
      <CodeLine>{workspaceUrl("your-workspace", env().baseUrl)}</CodeLine>
    </>
  );
}
