import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import Provider, { type Configuration } from "oidc-provider";
import getTLSOptions from "smtp-server/lib/tls-options.js";

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claims of the next person who signs in. */
  person: Record<string, unknown>;
  /** Changes the claims of the next ID tokens, which are then signed again. */
  forge: { claims?: Record<string, unknown>; key?: KeyObject };
  /** Changes the discovery document. */
  document: Record<string, unknown>;
  stop: () => Promise<void>;
}

type Clean = (work: () => Promise<void> | void) => void;

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const key = rsa();
export const strangersKey = rsa();

/**
 * An OpenID Connect provider on this machine. It signs everyone in without a page.
 * @param redirectUris of the workspaces that use it
 * @param inIdToken whether the ID token has all claims, or only the user info
 * @param publicHost its name on the internet. It then uses https, with a certificate that no one trusts
 */
export async function aProvider(
  onTestFinished: Clean,
  redirectUris: string[],
  { inIdToken = false, port = 0, publicHost }: { inIdToken?: boolean; port?: number; publicHost?: string } = {},
): Promise<TestProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const listener = (request: IncomingMessage, response: ServerResponse) => answer(request, response);
  const server = publicHost ? createSecureServer(getTLSOptions(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  onTestFinished(stop);
  const made: TestProvider = {
    issuer: `${publicHost ? `https://${publicHost}` : "http://127.0.0.1"}:${(server.address() as { port: number }).port}/`,
    clientId: "lectern",
    clientSecret: `secret-${crypto.randomUUID()}`,
    person: { email: "ada@example.com", email_verified: true },
    forge: {},
    document: {},
    stop,
  };
  const configuration: Configuration = {
    clients: [
      {
        client_id: made.clientId,
        client_secret: made.clientSecret,
        redirect_uris: redirectUris,
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "given_name", "family_name"] },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ["of this test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...made.person }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...key.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] as never },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Grant: 60, Interaction: 60, Session: 60 },
  };
  const provider = new Provider(made.issuer.replace(/\/$/, ""), configuration);
  provider.use(async (context, next) => {
    await next();
    const { claims, key: other } = made.forge;
    const body = context.body as { id_token?: string };
    if (context.path === "/token" && body.id_token && (claims || other))
      body.id_token = signed(body.id_token, claims, other ?? key);
    if (context.path.startsWith("/.well-known/")) context.body = { ...body, ...made.document };
  });
  const handle = provider.callback();
  answer = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void handle(request, response);
    const login = { login: { accountId: "person", remember: false } };
    void provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
  };
  return made;
}

function signed(token: string, changes: Record<string, unknown> = {}, by: KeyObject): string {
  const [header = "", payload = ""] = token.split(".");
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...changes };
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${content}.${createSign("sha256").update(content).sign(by, "base64url")}`;
}
