import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const OLDEST = 15;
const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;

/**
 * Waits until the server of `url` accepts us, while it is starting.
 * @param waitMs in milliseconds
 * @throws a sentence with host, port, reason and remedy, without the password
 */
export async function waitForDatabase(url: string, waitMs = 15_000): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const client = connection(url);
    client.on("error", () => {});
    const where = `${client.host}:${client.port}`;
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
      const version = rows[0]?.version ?? "0";
      if (Number.parseInt(version, 10) >= OLDEST) return;
      throw new Error(
        `The database at ${where} is PostgreSQL ${version}, but Lectern needs ${OLDEST} or newer. Upgrade it, or set DATABASE_URL to another server.`,
        { cause: "final" },
      );
    } catch (error) {
      const { code, message, cause } = error as Error & { code?: string };
      if (cause === "final") throw error;
      // 28: identity; 3D: the database's name; 42: privileges.
      if (/^(28|3D|42)/.test(code ?? "")) {
        throw new Error(
          `The database at ${where} refused the connection: ${message}. Check the user, password, and name in DATABASE_URL.`,
        );
      }
      if (UNTRUSTED.test(code ?? "")) {
        throw new Error(
          `The certificate of the database at ${where} is not trusted (${code}). In DATABASE_URL, use the host name of the certificate and sslmode=verify-full&sslrootcert=/path/to/ca.pem with its authority, or sslmode=require to encrypt without checking it.`,
        );
      }
      if (/does not support SSL/.test(message)) {
        throw new Error(
          `The database at ${where} doesn't accept TLS. Turn it on there, or remove sslmode from DATABASE_URL.`,
        );
      }
      if (performance.now() > deadline) {
        throw new Error(
          `The database at ${where} doesn't respond (${code ?? message}). Start it, or check host and port in DATABASE_URL.`,
        );
      }
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(200);
  }
}

function connection(url: string): Client {
  try {
    if (!/^postgres(ql)?:$/.test(new URL(url).protocol)) throw new Error();
    return new Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: "lectern" });
  } catch {
    throw new Error(
      "DATABASE_URL is not the URL of a PostgreSQL database. Write it as postgresql://user:password@host:5432/name, with special characters in the password percent-encoded.",
    );
  }
}
