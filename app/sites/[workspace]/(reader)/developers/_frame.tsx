import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ReferenceFrame } from "@/components/reader/reference/frame";
import v1 from "@/docs/openapi/v1.json";
import v2 from "@/docs/openapi/v2.json";
import { wordsFor } from "@/lib/reader/words";
import { type Reference, referenceOf } from "@/lib/reference/document";
import type { OpenApi } from "@/lib/reference/openapi";
import { type Language, languages } from "@/lib/reference/samples";
import { currentMember } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { submitSignOut } from "../actions";
import { guides } from "./_guides/guides";

export const references = {
  v1: referenceOf(v1 as unknown as OpenApi),
  v2: referenceOf(v2 as unknown as OpenApi),
} satisfies Record<string, Reference>;

/** `?language=python` selects a language without scripts. */
export type Search = Promise<Record<string, string | string[] | undefined>>;

/** The language of the samples, from the URL or the reader's last choice. */
export async function sampleLanguage(search: Search): Promise<Language> {
  const candidates = [(await search).language, (await cookies()).get("sample_language")?.value];
  return candidates.find((name): name is Language => (languages as readonly unknown[]).includes(name)) ?? "curl";
}

export async function DevelopersFrame({
  workspace,
  version,
  children,
}: {
  workspace: PublicWorkspace;
  version: keyof typeof references;
  children: ReactNode;
}) {
  const groups = [
    { title: "Guides", links: guides.map(({ anchor, title }) => ({ href: `/developers#${anchor}`, name: title })) },
    ...references[version].groups.map(({ name, operations }) => ({
      title: name,
      links: operations.map(({ anchor, summary, method }) => ({
        href: `/developers/${version}#${anchor}`,
        name: summary,
        note: method === "GET" ? undefined : method,
      })),
    })),
  ];
  const member = await currentMember(workspace.subdomain);
  return (
    <ReferenceFrame
      name={workspace.name}
      logo={workspace.logo}
      version={version}
      groups={groups}
      words={wordsFor("en")}
      member={member && `${member.firstName} ${member.lastName}`}
      signOut={submitSignOut}
    >
      {children}
    </ReferenceFrame>
  );
}
