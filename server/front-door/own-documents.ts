import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { UnavailableError } from "@/lib/errors";
import { prefersMarkdown } from "@/lib/http/markdown-path";
import { log } from "@/lib/log";
import { documentOf, type Shell } from "@/server/documents/document";
import { documentAt } from "@/server/documents/pages";
import { keptAddress } from "./kept";
import { nonceOf } from "./policy";
import type { Captured } from "./response";

/** Headers copied from Next's responses. */
const HEADERS = ["content-security-policy", "referrer-policy", "x-content-type-options"];

/**
 * Renders pages for visitors without Next, which takes about three times as long. Next renders everything else, such as
 * redirects from changed slugs.
 * @param sessionCookie marks requests of members, whose pages may differ
 */
export function ownDocuments(sessionCookie: string) {
  let known: { shell: Shell; headers: OutgoingHttpHeaders; nonce: string } | null = null;

  return {
    /** Takes the stylesheets, font and headers from the first of these pages that Next renders. */
    learn({ url = "" }: IncomingMessage, { status, headers, body }: Captured): void {
      if (known || status !== 200 || !documentAt(url)) return;
      const nonce = nonceOf(String(headers["content-security-policy"] ?? ""));
      const [head = ""] = body.toString("utf8").split("</head>", 1);
      const className = /^<!DOCTYPE html><html [^>]*class="([^"]*)"/.exec(head)?.[1];
      const styles = [...head.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href = ""]) => href);
      if (!nonce || !className || styles.length === 0) return;
      const kept = Object.fromEntries(HEADERS.map((name) => [name, headers[name]])) as OutgoingHttpHeaders;
      // Other links belong to this page.
      const links = String(headers.link ?? "").split(/, (?=<)/);
      kept.link = links.filter((link) => link.startsWith("</_next/")).join(", ") || undefined;
      known = { shell: { className, styles }, nonce, headers: kept };
    },

    /** @returns true if it sent a response to the URL that `request` now has, or false if Next must respond */
    async answer(request: IncomingMessage, response: ServerResponse, subdomain: string): Promise<boolean> {
      const { method, headers } = request;
      const address = keptAddress(request, sessionCookie);
      const page = address && documentAt(address);
      if (!known || method !== "GET" || !page || prefersMarkdown(headers.accept ?? null)) return false;
      const nonce = randomBytes(16).toString("base64url");
      const html = await documentOf(subdomain, page, known.shell, nonce).catch((error: unknown) => {
        // Next reports that the database is away.
        if (!(error instanceof UnavailableError))
          log().error({ err: error }, "A page could not be rendered, so Next renders it.");
        return null;
      });
      if (html === null) return false;
      for (const [name, value] of Object.entries(known.headers)) {
        if (value !== undefined) response.setHeader(name, String(value).replaceAll(known.nonce, nonce));
      }
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "private, no-store" });
      request.url = address;
      response.end(html);
      return true;
    },
  };
}
