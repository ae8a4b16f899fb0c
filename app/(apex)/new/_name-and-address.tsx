"use client";

import { useEffect, useRef, useState } from "react";
import { FormField, useRefused } from "@/components/ui/form";
import { suggestedSubdomain } from "./_suggestion";

const PAUSE_MS = 300;

interface Answer {
  subdomain: string;
  isFree: boolean;
  message: string;
}

/** The subdomain follows the name until someone edits it, and is checked while they type. */
export function NameAndAddress({ example }: { example: string }) {
  const field = useRef<HTMLInputElement>(null);
  const isOwn = useRef(false);
  const [subdomain, setSubdomain] = useState("");
  const [answer, setAnswer] = useState<Answer | null>(null);

  useEffect(() => {
    if (subdomain === "") return;
    const leaving = new AbortController();
    const pause = setTimeout(() => {
      look(subdomain, leaving.signal).then(setAnswer, () => {});
    }, PAUSE_MS);
    return () => {
      leaving.abort();
      clearTimeout(pause);
    };
  }, [subdomain]);

  const follow = (name: string) => {
    if (!field.current || (isOwn.current && field.current.value !== "")) return;
    isOwn.current = false;
    field.current.value = suggestedSubdomain(name);
    setSubdomain(field.current.value);
  };
  const [before = "", after = ""] = example.split("your-name");
  const zone = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (zone.current) zone.current.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }, []);
  const refused = useRefused("subdomain");
  const known = answer && subdomain !== "" && answer.subdomain === subdomain ? answer : null;
  // The form's own refusal is shown above.
  const said = known?.message === refused ? null : known;
  return (
    <>
      {/* The browser's. Without scripts, the workspace starts with UTC. */}
      <input ref={zone} type="hidden" name="timeZone" />
      <FormField
        label="Name"
        name="name"
        hint="For example, Acme Help."
        required
        maxLength={100}
        autoComplete="organization"
        onInput={(event) => follow(event.currentTarget.value)}
      />
      <FormField
        ref={field}
        label="Subdomain"
        name="subdomain"
        hint={
          <span role="status">
            {said ? (
              <span className={said.isFree ? "text-success" : "text-danger"}>{said.message}</span>
            ) : (
              <span className="wrap-anywhere">
                {before}
                <strong>{subdomain || "your-name"}</strong>
                {after}
              </span>
            )}
          </span>
        }
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onInput={(event) => {
          isOwn.current = true;
          setSubdomain(event.currentTarget.value.trim().toLowerCase());
        }}
      />
    </>
  );
}

/** Null when the server refuses to answer. */
async function look(subdomain: string, signal: AbortSignal): Promise<Answer | null> {
  const answer = await fetch(`/new/subdomain?of=${encodeURIComponent(subdomain)}`, { signal });
  return answer.ok ? ((await answer.json()) as Answer) : null;
}
