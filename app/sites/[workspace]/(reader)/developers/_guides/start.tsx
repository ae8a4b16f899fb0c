import type { GuideFacts } from "./facts";

export function FirstCall({ subdomain, base }: GuideFacts) {
  const { hostname } = new URL(base);
  return (
    <>
      <ol>
        <li>
          Get an API key from whoever runs this knowledge base. On its server, this line makes one:
          <Command>{`npm run kb -- key create --workspace ${subdomain} --name "My program" --permission read`}</Command>
        </li>
        <li>
          Put it into the environment of your terminal:
          <Command>export LECTERN_API_KEY="kb_…"</Command>
        </li>
        <li>Paste a sample and run it. It answers with this workspace and with your key.</li>
      </ol>
      <p>
        Every sample of these guides runs as it stands, without a package: <code>curl</code> in a terminal, the
        JavaScript saved as <code>first.mjs</code> with <code>node first.mjs</code> (Node 20 or newer), the Python saved
        as <code>first.py</code> with <code>python3 first.py</code>.
      </p>
      {hostname.endsWith(".localhost") && (
        <p>
          This installation is on your own machine. If a program cannot find <code>{hostname}</code>, add the line{" "}
          <code>127.0.0.1 {hostname}</code> to <code>/etc/hosts</code>: curl and browsers know such names by themselves,
          other programs may not.
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
        Send the key in the header <code>X-Api-Key</code>. A key belongs to one workspace; a key in the address is not
        read.
      </p>
      <ul>
        <li>
          <strong>Permission.</strong> <code>read</code> may do everything but change; <code>read_write</code> may also
          update team members. Give each program a key of its own, with the least it needs.
        </li>
        <li>
          <strong>Expiry.</strong> A key may have an end, which <code>GET /me</code> tells as <code>expires_at</code>.
        </li>
        <li>
          <strong>Rotation.</strong> <code>npm run kb -- key rotate</code> makes a new key and lets the old one work for
          another day, or as long as <code>--overlap</code> says: give your program the new one meanwhile.
        </li>
        <li>
          <strong>Revocation.</strong> <code>npm run kb -- key revoke</code>: a revoked or expired key is refused from
          the next request on. <code>key list</code> tells when, from where and for what each was used.
        </li>
        <li>
          <strong>Safekeeping.</strong> A key is shown once, when it is made, and cannot be looked up afterwards. Treat
          it as a password. It begins with <code>kb_</code>, so that scanners recognize a leak.
        </li>
        <li>
          <strong>Servers only.</strong> Pages of other sites cannot call this API from a browser: it sends no CORS
          headers, because a key in a web page is everybody's.
        </li>
      </ul>
      <p>
        A missing, unknown, revoked or expired key and a key of another workspace all get the same <code>401</code>.
      </p>
    </>
  );
}

export function Versions({ paths }: GuideFacts) {
  const changed = paths.filter(({ v1, v2 }) => v1 !== v2);
  return (
    <>
      <p>
        Both versions have the same operations, with the same parameters and answers; the same key works for both. Write
        new programs for v2. To move one from v1:
      </p>
      <ol>
        <li>
          Replace <code>/api/external/v1</code> by <code>/api/external/v2</code>.
        </li>
        <li>Replace the paths that are written differently:</li>
      </ol>
      <table>
        <thead>
          <tr>
            <th scope="col">v1</th>
            <th scope="col">v2</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ v1, v2 }) => (
            <tr key={v2}>
              <td>
                <code>{v1}</code>
              </td>
              <td>
                <code>{v2}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Each answer of v1 names its successor in a header: <code>Link: …; rel="successor-version"</code>. Within a
        version, fields may be added and none is taken away: ignore what you do not know.
      </p>
    </>
  );
}
