// Provider routes
// Signs browsers in by an identity provider: the route to the provider, and the route back.
//
//   Owns:          the two routes, checking which browser comes back, how long the browser is signed in.
//   Does not own:  the protocol (line/identity), who may come in (composition), what a browser keeps (browsers).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// PROVIDER-ROUTES-1. Signing in by a provider works only at a name of the engine that is reached by https. The provider sends the
//     browser back to this name, and from there the engine redirects the browser to the panel's page.
// PROVIDER-ROUTES-2. However a sign-in ends, the browser shows what to do next. No page, log line or address that stays in the
//     browser contains a code or a token of the provider, or a state (the secret text that ties the provider's answer to the
//     sign-in).
// PROVIDER-ROUTES-3. A sign-in lasts 12 hours, or less if the provider says so.

import type { Context, Hono } from "hono";
import { type Access, isSameAccess } from "../../../runtime/access-token.ts";
import type { Identity, IdentityProvider } from "../../../runtime/line/identity.ts";
import { SignInError } from "../../../runtime/errors/sign-in-error.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { answer, type Env, givenIn, noSuchRoute } from "../context.ts";
import { signIn, turnAway } from "../page.ts";
import type { Browsers } from "./browsers.ts";
import type { Holder } from "./holders.ts";
import { newPanelName } from "./panel-name.ts";
import { attemptCookieOf, setAttemptCookie, setCookie } from "./session-cookie.ts";
import { SignInAttempts } from "./sign-in-attempts.ts";

const BEGIN = "/sign-in";
const BACK = "/sign-in/back";
const FAILED = "/sign-in/failed";
export const PROVIDER_PATHS: readonly string[] = [BEGIN, BACK, FAILED];

const LASTS_MS = 12 * 3_600_000;

/** The provider, and the list of the users whom the engine lets in. */
export interface SignIn extends IdentityProvider {
  /** Reads the current list of users. @returns the user's access, and the name that follows `http:` in a holder's name. */
  personOf(identity: Identity): { readonly name: string; readonly access: Access } | undefined;
  /** Whom a user who is not on the list should ask for access; undefined if the list names nobody. */
  readonly ask: string | undefined;
}

interface Signing {
  /** The sign-in by the identity provider; undefined for an engine without a provider. */
  readonly signIn?: SignIn;
  readonly browsers: Browsers;
  readonly listening: { readonly port: number };
  readonly clock: Clock;
  readonly onSignInFailed?: (detail: string) => void;
}

export function providerRoutes(app: Hono<Env>, signing: Signing): void {
  const attempts = new SignInAttempts(signing.clock);
  app.get(BEGIN, async (c) => {
    const provider = providerFor(c, signing);
    const place = c.get("place");
    const keeping = { port: signing.listening.port, place };
    return orTold(c, signing, attempts, async () => {
      const { address, attempt } = await provider.begin(place.origin + BACK);
      const cookie = setAttemptCookie(keeping, attempts.seal(attempt));
      return answer(c, 303, {}, { Location: address, "Set-Cookie": cookie });
    });
  });
  app.get(BACK, async (c) => {
    const provider = providerFor(c, signing);
    const place = c.get("place");
    const { port } = signing.listening;
    const given = givenIn(c);
    return orTold(c, signing, attempts, async () => {
      const kept = attemptCookieOf(c.env.incoming, port, place);
      const attempt = attempts.use(kept, place.origin + BACK, given.get("state"));
      if (!attempt) throw notBegunHere();
      const identity = await provider.finish(given, attempt);
      const { cookie, lastsMs } = enter(identity, provider, signing);
      const keeping = { port, place };
      return signIn(c, [
        setCookie(keeping, cookie, Math.floor(lastsMs / 1_000)),
        setAttemptCookie(keeping, ""),
      ]);
    });
  });
  app.get(FAILED, (c) => {
    const { host } = providerFor(c, signing);
    const kept = attemptCookieOf(c.env.incoming, signing.listening.port, c.get("place"));
    return turnAway(c, attempts.wordsIn(kept) ?? "You are not signed in.", { provider: host });
  });
}

/** @throws RefusedError if there is no provider, or if the request is no GET at an https address. */
function providerFor(c: Context<Env>, { signIn }: Signing): SignIn {
  if (!signIn || c.req.method !== "GET") throw noSuchRoute();
  if (!c.get("place").isSecure) throw noSuchRoute();
  return signIn;
}

// If a sign-in fails, the browser gets a page that says what to do next (PROVIDER-ROUTES-2).
async function orTold(
  c: Context<Env>,
  { listening: { port }, onSignInFailed }: Signing,
  attempts: SignInAttempts,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    onSignInFailed?.(error.detail);
    const words = attempts.sealWords(`${error.message} ${error.next}`);
    const cookie = setAttemptCookie({ port, place: c.get("place") }, words);
    return answer(c, 303, {}, { Location: FAILED, "Set-Cookie": cookie });
  }
}

/** Signs a browser's user in (PROVIDER-ROUTES-3). @throws SignInError if the user is not on the list. */
function enter(
  identity: Identity,
  provider: SignIn,
  { browsers, clock }: Signing,
): { readonly cookie: string; readonly lastsMs: number } {
  const person = provider.personOf(identity);
  if (!person) throw notLetIn(identity, provider);
  const name = `http:${person.name}`;
  const lastsMs = Math.min(LASTS_MS, (identity.endsAt ?? Infinity) - clock.now());
  if (lastsMs <= 0) throw over(provider);
  const holder: Holder = {
    ...{ name, access: person.access, isNearOnly: false },
    ...{ gone: new AbortController().signal, ticket: "", panel: newPanelName() },
  };
  const isStill = (): boolean => {
    const now = provider.personOf(identity);
    return now?.name === person.name && isSameAccess(now.access, person.access);
  };
  return { cookie: browsers.signIn(name, () => (isStill() ? holder : undefined), lastsMs), lastsMs };
}

const notBegunHere = (): SignInError =>
  new SignInError(
    "SIGN_IN_STALE",
    "This sign-in was not begun in this browser, was ended already, or took longer than ten minutes.",
    "Sign in again.",
    "not begun here",
  );

const over = ({ host }: SignIn): SignInError =>
  new SignInError("SIGN_IN_STALE", `Your sign-in at ${host} has expired.`, "Sign in again.", "over");

function notLetIn({ email, called, subject }: Identity, { host, ask }: SignIn): SignInError {
  const who = email ?? called ?? `the account ${subject.slice(0, 100)}`;
  return new SignInError(
    "SIGN_IN_REFUSED",
    `${host} knows you as ${who}${email === undefined ? `, without a verified address (subject ${subject.slice(0, 100)})` : ""}; you are not on this engine's list of people.`,
    `Ask ${ask ?? "whoever runs this engine"} to add you to that list.`,
    "not on the list",
  );
}
