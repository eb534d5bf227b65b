// Issuer
// A real identity provider on this machine, in which one account after another signs in without being asked.
//
//   Owns:          starting it, its accounts, who signs in next, what it answers instead where a test lies.
//   Does not own:  what is expected of the engine.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSign, generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";

export const CLIENT = "signalbox";
export const SECRET = "the-secret-of-the-client-is-long-enough";

/** The claims of an account. */
export type Account = Readonly<Record<string, unknown>>;

export interface Issuer {
  readonly url: string;
  /** Who signs in from now on; undefined refuses. */
  who: string | undefined;
  /** Asked first at each request; true where it has answered. */
  lie: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ format: "jwk" });

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An id token of these claims. @param by the issuer's key, or another. */
export function idToken(claims: object, by = privateKey): string {
  const text = `${part({ alg: "ES256" })}.${part(claims)}`;
  const made = createSign("sha256").update(text).sign({ key: by, dsaEncoding: "ieee-p1363" });
  return `${text}.${made.toString("base64url")}`;
}

/** One that nobody signed. */
export const unsigned = (claims: object): string => `${part({ alg: "none" })}.${part(claims)}.`;

/** @param back where browsers may be sent back to. @param accounts by their subjects. */
export async function startIssuer(
  back: readonly string[],
  accounts: Readonly<Record<string, Account>>,
): Promise<Issuer> {
  let listener: RequestListener = (_, response) => {
    response.writeHead(503).end();
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push((request.url ?? "").split("?")[0] ?? "");
    if (issuer.lie?.(request, response) !== true) listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [...back],
        id_token_signed_response_alg: "ES256",
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...key, alg: "ES256", use: "sig" }] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "session_expiry"],
      groups: ["groups"],
    },
    scopes: ["openid", "groups"],
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...accounts[id] }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ["a-key-of-the-test"] },
    ttl: {
      Session: 3_600,
      Grant: 3_600,
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
    },
  });
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { who } = issuer;
    if (who === undefined) {
      const denied = { error: "access_denied", error_description: "the account said no" };
      return provider.interactionFinished(request, response, denied);
    }
    const grant = new provider.Grant({ accountId: who, clientId: CLIENT });
    grant.addOIDCScope("openid email profile groups");
    const grantId = await grant.save();
    const result = { login: { accountId: who, remember: false }, consent: { grantId } };
    return provider.interactionFinished(request, response, result);
  };
  const callback = provider.callback();
  listener = (request, response) => {
    if (request.url?.startsWith("/interaction/") === true) void interact(request, response);
    else void callback(request, response);
  };
  const issuer: Issuer = {
    url,
    who: undefined,
    lie: undefined,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return issuer;
}

export type Lie = (request: IncomingMessage, response: ServerResponse) => void;

/** From now on a lie is what is answered at a path. */
export function lieAt(issuer: Issuer, path: string, lie: Lie): void {
  issuer.lie = (request, response) => {
    if (request.url?.split("?")[0] !== path) return false;
    lie(request, response);
    return true;
  };
}

export function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
