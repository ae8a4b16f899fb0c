import type { GuideFacts } from "./facts";

export function FirstCall({ subdomain, base }: GuideFacts) {
  const { hostname } = new URL(base);
  return (
    <>
      <ol>
        <li>
          Get an API key from an administrator of this knowledge base. Operators can create a key with:
          <Command>{`npm run kb -- key create --workspace ${subdomain} --name "My program" --scope public`}</Command>
        </li>
        <li>
          Store the key in an environment variable:
          <Command>export LECTERN_API_KEY="kb_…"</Command>
        </li>
        <li>Copy a sample and run it. The response names this workspace and your key.</li>
      </ol>
      <p>
        The samples need no packages. Run the curl sample in a terminal. Save the JavaScript sample as{" "}
        <code>first.mjs</code> and run <code>node first.mjs</code> (Node 20 or newer). Save the Python sample as{" "}
        <code>first.py</code> and run <code>python3 first.py</code>.
      </p>
      {hostname.endsWith(".localhost") && (
        <p>
          This installation is on your own machine. If a program can't find <code>{hostname}</code>, add the line{" "}
          <code>127.0.0.1 {hostname}</code> to <code>/etc/hosts</code>. curl and browsers don't need this line.
        </p>
      )}
    </>
  );
}

/** A terminal command. */
function Command({ children }: { children: string }) {
  return (
    <pre className="my-2 rounded-sm border border-border bg-surface-raised px-3 py-2 text-code whitespace-pre-wrap wrap-anywhere">
      <code>{children}</code>
    </pre>
  );
}

export function Keys() {
  return (
    <>
      <p>
        Send the key in the <code>X-Api-Key</code> header. A key belongs to one workspace. Keys in the URL are ignored.
      </p>
      <ul>
        <li>
          <strong>Scopes.</strong> A key's scopes determine what it can do. With the <code>public</code> scope, a key
          can read what visitors see. The reference lists the scope that each operation needs. Give each program its own
          key, with only the scopes it needs.
        </li>
        <li>
          <strong>Expiration.</strong> A key can have an expiration date, which <code>GET /me</code> returns as{" "}
          <code>expires_at</code>.
        </li>
        <li>
          <strong>Rotation.</strong> Before a key expires, rotate it under Settings &gt; API keys in the admin UI or
          with <code>npm run kb -- key rotate</code>. By default, the old key keeps working for a day.
        </li>
        <li>
          <strong>Revocation.</strong> Revoke a key in the admin UI or with <code>npm run kb -- key revoke</code>. The
          next request with the key is refused.
        </li>
        <li>
          <strong>Last use.</strong> The admin UI and <code>npm run kb -- key list</code> show when, from where, and for
          what each key was last used.
        </li>
        <li>
          <strong>Storage.</strong> A key is shown only once, when it is created. Treat it like a password. Keys start
          with <code>kb_</code> so that scanners can find leaked keys.
        </li>
        <li>
          <strong>Servers only.</strong> Don't put a key in a web page, where anyone could read it. The API sends no
          CORS headers, so other sites can't call it from a browser.
        </li>
      </ul>
      <p>
        The response is the same <code>401</code> whether the key is missing, unknown, revoked, expired, or from another
        workspace.
      </p>
    </>
  );
}

export function Versions() {
  return (
    <>
      <p>
        v2 has all operations of v1, takes the same parameters, and accepts the same keys. v2 also returns more fields
        and has more operations, such as creating articles. Use v2 for new programs. To move a program from v1:
      </p>
      <ol>
        <li>
          Replace <code>/api/external/v1</code> with <code>/api/external/v2</code>.
        </li>
        <li>
          Replace <code>/team_members</code> with <code>/team-members</code>. All other paths are the same.
        </li>
      </ol>
      <p>
        Each v1 response has the URL of the same resource in v2 in a header:{" "}
        <code>Link: …; rel="successor-version"</code>. Within a version, fields can be added but are never removed, so
        ignore fields that your program doesn't know.
      </p>
    </>
  );
}
