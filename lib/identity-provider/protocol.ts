import * as oidc from "openid-client";
import { type Network, send } from "@/lib/outgoing/send";

/** How long one request to a provider, and all requests of one visit, may take, in milliseconds. */
const REQUEST_MS = 5_000;
const VISIT_MS = 10_000;
/** Bytes of a response. A list of keys has a few thousand. */
const MOST_BYTES = 256_000;
/** Providers ask again after these seconds, and say when they asked. Some ignore this. */
const MOST_AGE = 15 * 60;

export interface Client {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What ties the provider's answer to the browser that asked. */
export interface Challenge {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person as the provider describes them. The provider can claim anything, so each field needs a check. */
export interface Identity {
  /** When the person proved to the provider who they are, or null if it doesn't say, like Google. */
  authenticatedAt: Date | null;
  email: unknown;
  isVerified: boolean;
  firstName: unknown;
  lastName: unknown;
  name: unknown;
}

/** The message is for administrators and the log. It can hold what the provider sent. */
export class ProviderError extends Error {
  constructor(
    readonly kind: "unreachable" | "canceled" | "refused",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "ProviderError";
  }
}

/** Reads the provider's discovery document. @throws ProviderError with a sentence about what does not fit */
export async function testProvider(issuer: string, network?: Network): Promise<void> {
  await discover({ issuer, clientId: "test", clientSecret: "test" }, network);
}

/** @returns where the browser goes to sign in. @throws ProviderError */
export async function startAt(
  client: Client,
  redirectUri: string,
  network?: Network,
): Promise<{ url: string; challenge: Challenge }> {
  const config = await discover(client, network);
  const challenge = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid email profile",
    state: challenge.state,
    nonce: challenge.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
    code_challenge_method: "S256",
    max_age: String(MOST_AGE),
  });
  return { url: url.href, challenge };
}

/**
 * Exchanges the code in the provider's answer, and checks signature, issuer, audience, nonce and time of the ID token.
 * @param answer the redirect URI with the query that the browser brought
 * @throws ProviderError
 */
export async function identityFrom(
  client: Client,
  answer: URL,
  { state, nonce, verifier }: Challenge,
  network?: Network,
): Promise<Identity> {
  const config = await discover(client, network);
  try {
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new ProviderError("refused", "The provider sent no ID token.");
    const isEnough = claims.email !== undefined && claims.email_verified !== undefined;
    const { userinfo_endpoint: endpoint } = config.serverMetadata();
    const info: Record<string, unknown> =
      isEnough || !endpoint ? {} : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
    // Both from one source, so one email never counts as verified because of another.
    const { email, email_verified } = isEnough ? claims : info;
    const { given_name, family_name, name }: Record<string, unknown> = { ...info, ...claims };
    return {
      authenticatedAt: claims.auth_time === undefined ? null : new Date(Math.min(claims.auth_time * 1000, Date.now())),
      email,
      isVerified: email_verified === true,
      firstName: given_name,
      lastName: family_name,
      name,
    };
  } catch (error) {
    if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied")
      throw new ProviderError("canceled", "The sign-in was canceled.", error);
    throw asProviderError(error, "refused");
  }
}

async function discover({ issuer, clientId, clientSecret }: Client, network?: Network): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  // URLs are stored with http only in development.
  const extensions = [
    oidc.enableNonRepudiationChecks,
    ...(url.protocol === "http:" ? [oidc.allowInsecureRequests] : []),
  ];
  try {
    const config = await oidc.discovery(url, clientId, undefined, authentication(clientSecret), {
      [oidc.customFetch]: guardedFetch(network),
      execute: extensions,
    });
    checkDocument(config.serverMetadata(), url);
    return config;
  } catch (error) {
    throw asProviderError(error, "unreachable");
  }
}

function checkDocument(metadata: Readonly<oidc.ServerMetadata>, url: URL): void {
  // The library makes exceptions for Microsoft, with which everyone who has a Microsoft account could sign in.
  if (new URL(metadata.issuer).href !== url.href) throw otherIssuer(metadata.issuer);
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const endpoint = metadata[name];
    if (!endpoint) throw new ProviderError("unreachable", `The discovery document has no ${name}.`);
    if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== url.protocol)
      throw new ProviderError(
        "unreachable",
        `The ${name} in the discovery document must begin with ${url.protocol}//.`,
      );
  }
}

const otherIssuer = (issuer: string) =>
  new ProviderError("unreachable", `The provider's issuer URL is ${issuer.slice(0, 200)}. Enter exactly that URL.`);

/** Providers accept the basic scheme unless they say otherwise. */
function authentication(secret: string): oidc.ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const scheme = methods.includes("client_secret_basic") ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    return scheme(secret)(server, client, body, headers);
  };
}

/** The provider chooses the URLs of its keys and tokens, so each request is guarded like a webhook. */
function guardedFetch(network?: Network): oidc.CustomFetch {
  const ends = performance.now() + VISIT_MS;
  return async (url, { method, headers, body }) => {
    const ms = Math.max(1, Math.min(REQUEST_MS, Math.round(ends - performance.now())));
    const text = body instanceof URLSearchParams ? body.toString() : undefined;
    const message = { method, headers, body: text };
    const answer = await send(url, message, { most: MOST_BYTES, ms, ...(network && { network }) });
    const problem = answer.problem ?? (answer.isWhole ? null : "The response is too long or was cut off.");
    if (answer.status === null || problem) throw new ProviderError("unreachable", problem ?? "There was no response.");
    const names = ["content-type", "www-authenticate"] as const;
    const kept = names.flatMap((name): [string, string][] => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: kept });
  };
}

function asProviderError(error: unknown, kind: ProviderError["kind"]): ProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ProviderError) return cause;
  if (kind === "refused") {
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof oidc.ResponseBodyError ? ` (${error.error.slice(0, 100)})` : "";
    return new ProviderError(kind, `The provider's answer was refused: ${reason.slice(0, 200)}${code}`, error);
  }
  const { body } = (error instanceof oidc.ClientError && (error.cause as { body?: { issuer?: unknown } })) || {};
  if (typeof body?.issuer === "string") return otherIssuer(body.issuer);
  return new ProviderError(kind, "No OpenID Connect discovery document found. Check the issuer URL.", error);
}
