// Provider
// Talks to an organisation's identity provider, by OpenID Connect: the code flow, with PKCE, state and nonce.
//
//   Owns:          the provider's configuration, where a browser is sent, checking what the browser brings back, limits on size
//                  and time.
//   Does not own:  which claims count (claims), the browser (http).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// OIDC-PROVIDER-1. The provider is asked only when a user signs in, so an engine starts even while its provider is away.
// OIDC-PROVIDER-2. Each sign-in has its own state, nonce and PKCE key. The signature, the issuer, the audience and the times of
//     the id token are checked.
// OIDC-PROVIDER-3. One request fetches the provider's configuration for all users who are signing in. After a failed request, the
//     engine waits five seconds before it may ask again.
// OIDC-PROVIDER-4. If an answer of the provider is longer than 256 KiB, it is not read to its end. An answer that is not complete
//     in time is dropped.
// OIDC-PROVIDER-5. Plain HTTP is used only on loopback, and no redirect is followed.

import type * as openid from "openid-client";
import type { Clock } from "../../runtime/ports.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { isUnread } from "../../runtime/line/here.ts";
import type { Attempt, Identity, IdentityProvider } from "../../runtime/line/identity.ts";
import { SignInError } from "../../runtime/errors/sign-in-error.ts";
import { emailIn, identityOf } from "./claims.ts";
import { faultOf } from "./faults.ts";
import { beginningOf } from "../../runtime/line/exchange.ts";

export interface ProviderOptions {
  readonly issuer: string;
  readonly client: string;
  readonly secret: string;
  readonly clock: Clock;
  /** The claim with a user's groups, and the scope that must be requested to get this claim. */
  readonly groups: () => { readonly claim: string; readonly scope: string | undefined };
  /** How long each answer of the provider may take, ms. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 5_000;
const REST_MS = 5_000;
/** How many sign-ins may wait for the provider at the same time. */
const WAITING_MAX = 32;

type Library = typeof openid;
interface Found {
  readonly library: Library;
  readonly configuration: openid.Configuration;
}

/** @throws RefusedError BAD_ISSUER for an address without TLS, except on loopback. */
export function openProvider(options: ProviderOptions): IdentityProvider {
  const { issuer } = options;
  if (!URL.canParse(issuer) || !isUnread(new URL(issuer))) throw badIssuer(issuer);
  return new Provider(options);
}

class Provider implements IdentityProvider {
  readonly host: string;
  readonly #options: ProviderOptions;
  #found: Promise<Found> | undefined;
  #restsUntil = -Infinity;
  #waiting = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.host = new URL(options.issuer).host;
  }

  begin(redirect: string): ReturnType<IdentityProvider["begin"]> {
    return this.#asking(async ({ library, configuration }) => {
      const attempt: Attempt = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
        redirect,
      };
      const scope = ["openid", "email", "profile", this.#options.groups().scope];
      const address = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirect,
        scope: scope.filter((each) => each !== undefined).join(" "),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      });
      if (!isUnread(address)) throw new Error("The provider names an address without TLS.");
      return { address: address.href, attempt };
    });
  }

  finish(answer: URLSearchParams, { state, nonce, verifier, redirect }: Attempt): Promise<Identity> {
    return this.#asking(async ({ library, configuration }) => {
      const back = new URL(redirect);
      back.search = answer.toString();
      const tokens = await library.authorizationCodeGrant(configuration, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const said = tokens.claims();
      if (!said) throw new Error("The provider gave no id token.");
      const { claim } = this.#options.groups();
      const isWhole = emailIn(said) !== undefined && claim in said;
      const more =
        isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
          ? []
          : [await library.fetchUserInfo(configuration, tokens.access_token, said.sub)];
      return identityOf({ issuer: said.iss, subject: said.sub }, [said, ...more], claim);
    });
  }

  async #asking<T>(ask: (found: Found) => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) throw away(this.host, "busy");
    this.#waiting += 1;
    try {
      return await ask(await this.#find());
    } catch (error) {
      throw faultOf(error, this.host);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Fetches the provider's configuration, unless it is known (OIDC-PROVIDER-3). */
  #find(): Promise<Found> {
    const { clock } = this.#options;
    if (!this.#found && clock.monotonic() < this.#restsUntil)
      return Promise.reject(away(this.host, "not asked again yet"));
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      this.#restsUntil = clock.monotonic() + REST_MS;
      throw error;
    });
    return this.#found;
  }

  async #discover(): Promise<Found> {
    const { issuer, client, secret, patienceMs = PATIENCE_MS } = this.#options;
    const library = await import("openid-client");
    const server = new URL(issuer);
    const plainly =
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to warn: carefulFetch allows loopback alone
      server.protocol === "http:" ? [library.allowInsecureRequests] : [];
    const configuration = await library.discovery(server, client, secret, undefined, {
      [library.customFetch]: (address: string, asking: openid.CustomFetchOptions) =>
        carefulFetch(address, asking, patienceMs),
      execute: [library.enableNonRepudiationChecks, ...plainly],
    });
    return { library, configuration };
  }
}

const away = (host: string, detail: string): SignInError =>
  new SignInError("PROVIDER_AWAY", `${host} does not answer just now.`, "Try again in a minute.", detail);

const badIssuer = (issuer: string): RefusedError =>
  new RefusedError(
    "BAD_ISSUER",
    `"${issuer}" is no address of an identity provider.`,
    "Give --oidc-issuer the address that the provider calls its issuer; it begins with https://.",
  );

const BYTES_MAX = 256 * 1024;

/**
 * @param patienceMs how long the whole answer may take.
 * @throws Error if the answer is too large or too late, or the address is forbidden.
 */
async function carefulFetch(
  address: string,
  { method, headers, body, signal }: openid.CustomFetchOptions,
  patienceMs: number,
): Promise<Response> {
  if (!isUnread(new URL(address))) throw new Error("The provider names an address without TLS.");
  const inTime = AbortSignal.timeout(patienceMs);
  const response = await fetch(address, {
    method,
    headers,
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    // The cast is safe: the library sends only texts and forms.
    ...(body !== undefined && body !== null && { body: body as string | URLSearchParams }),
  });
  const bytes = new Uint8Array(await beginningOf(response.body, BYTES_MAX));
  if (bytes.byteLength > BYTES_MAX) throw new Error("The provider's answer is too large.");
  const { status, statusText, headers: answered } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers: answered });
}
