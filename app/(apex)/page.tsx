import { Code, PenLine, Search } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeLine } from "@/components/ui/code-line";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { findWorkspace, onlyWorkspace } from "@/lib/workspaces/workspaces";
import { Drawing } from "./_drawing";
import { ApexFrame } from "./_frame";

const HEADLINE = "A knowledge base for the questions you keep answering";

export const metadata: Metadata = {
  description: `${HEADLINE}. Write the answer once, and readers find it.`,
};

const reasons = [
  {
    Icon: PenLine,
    title: "Write it once",
    text: "Drafts save as you type. Publish now or on a schedule, and restore any version.",
  },
  {
    Icon: Search,
    title: "Easy to find",
    text: "Readers need no account. Search corrects typos and knows your synonyms.",
  },
  {
    Icon: Code,
    title: "Ready for developers",
    text: "Get any article as Markdown, or read and search all articles with the API.",
  },
];

/** Names no workspace, except the manual in a first run and the only one of an installation. */
export default async function ApexPage() {
  await connection();
  const { baseUrl, quickstart, workspaceCreation } = env();
  const only = workspaceCreation ? null : await onlyWorkspace();
  if (only) redirect(workspaceUrl(only.subdomain, baseUrl));
  const manual = quickstart ? await findWorkspace("demo") : null;
  const { host } = new URL(workspaceUrl("your-workspace", baseUrl));
  return (
    <ApexFrame>
      <main className="mx-auto max-w-[72rem] px-5 lg:px-8">
        <div className="grid items-center gap-x-14 gap-y-12 py-12 md:py-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
          <div className="max-w-[36rem]">
            <h1 className="text-2xl md:text-[2.75rem] md:leading-[1.1]">{HEADLINE}</h1>
            <p className="mt-5 text-lg leading-normal text-pretty text-text-muted">
              Write articles and organize them in categories. Readers find them even with typos in a search. Each
              knowledge base has its own URL.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              {workspaceCreation && <ButtonLink href="/new">Create a knowledge base</ButtonLink>}
              <ButtonLink href="/find" look={workspaceCreation ? "plain" : "primary"}>
                Find my knowledge base
              </ButtonLink>
            </div>
            {manual && (
              <p className="mt-6 text-sm text-text-muted">
                New to Lectern? <Link href={workspaceUrl(manual.subdomain, baseUrl)}>Read the manual</Link>, which is
                built with Lectern.
              </p>
            )}
          </div>
          <Drawing host={host} />
        </div>
        <ul className="grid gap-x-10 gap-y-8 border-t border-border py-12 md:grid-cols-3">
          {reasons.map(({ Icon, title, text }) => (
            <li key={title}>
              <Icon aria-hidden="true" className="size-5 text-accent" />
              <h2 className="mt-3 text-base">{title}</h2>
              <p className="mt-1 text-md text-text-muted">{text}</p>
            </li>
          ))}
        </ul>
        <section className="grid items-center gap-x-10 gap-y-4 border-t border-border py-12 md:grid-cols-2">
          <div>
            <h2 className="text-lg">Already have one?</h2>
            <p className="mt-2 text-md text-text-muted">Sign in at its URL, followed by /admin.</p>
          </div>
          <CodeLine>{`${workspaceUrl("your-workspace", baseUrl)}/admin`}</CodeLine>
        </section>
      </main>
    </ApexFrame>
  );
}
