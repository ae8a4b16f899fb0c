import { aProvider, type TestProvider } from "@/testing/provider";

// An identity provider on the public internet, as far as a server and a browser can tell.

/** As in internet.mjs. */
const HOST = "login.provider.example";

/** Settings of a server that reaches it. */
export const inReach = {
  NODE_OPTIONS: `--import=${new URL("./internet.mjs", import.meta.url).href}`,
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
};

/** An argument of a browser that reaches it, if the context ignores the certificate. */
export const browserInReach = `--host-resolver-rules=MAP ${HOST} 127.0.0.1`;

export async function aPublicProvider(workspace: { url: string }): Promise<TestProvider> {
  const redirectUri = `${workspace.url}/admin/sign-in/oidc/callback`;
  return aProvider(() => {}, [redirectUri], { publicHost: HOST });
}
