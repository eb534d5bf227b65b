// Browsers
// The browsers that are signed in: each browser's cookie and user, and when its sign-in ends.
//
//   Owns:          the browsers' cookies and tickets, signing a browser out, the end of sign-ins with a time limit.
//   Does not own:  which users a token or a provider lets in (holders, sign-in), the cookie's header (session-cookie).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// BROWSERS-1. Each sign-in makes a new random cookie. So nobody can sign in a browser with a cookie that they know already.
// BROWSERS-2. Signing a browser out ends its cookie, its ticket (a text that is put into an address where no header can be sent)
//     and its streams at once. Other browsers stay signed in.
// BROWSERS-3. A browser stays signed in only as long as its user has access. If the sign-in has a time limit, it also ends after
//     that time.
// BROWSERS-4. One user has at most 64 browsers: a sign-in in a further browser ends the oldest sign-in.

import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../../../runtime/ports.ts";
import type { Holder } from "./holders.ts";

interface Browser {
  readonly name: string;
  readonly ticket: string;
  /** When the sign-in ends, ms, by the wall clock. A timer alone is not enough, because timers stop while the machine sleeps. */
  readonly endsAt: number;
  readonly end: AbortController;
  /** Finds the signed-in user with their present access; undefined once the user has no access. */
  readonly standsFor: () => Holder | undefined;
  /** What `standsFor` returned last. When `standsFor` returns something different, the field `holder` is made anew. */
  from: Holder | undefined;
  holder: Holder | undefined;
  readonly cancel: () => void;
}

const BYTES = 32;
const EACH_MAX = 64;

const random = (): string => randomBytes(BYTES).toString("base64url");
const digest = (text: string): string => hash("sha256", text, "base64url");

export class Browsers {
  readonly #clock: Clock;
  /** The browsers by the hash of their cookies, oldest first. */
  readonly #all = new Map<string, Browser>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param standsFor finds the user at each request. @param lastsMs at most 24 days, a timer's limit. @returns the cookie. */
  signIn(name: string, standsFor: () => Holder | undefined, lastsMs = Infinity): string {
    this.#makeRoom(name);
    const cookie = random();
    const key = digest(cookie);
    const cancel =
      lastsMs === Infinity ? (): void => undefined : this.#clock.after(lastsMs, () => this.#end(key));
    const endsAt = this.#clock.now() + lastsMs;
    const state = { from: undefined, holder: undefined };
    this.#all.set(key, {
      ...{ name, standsFor, endsAt, cancel, ...state },
      ...{ ticket: random(), end: new AbortController() },
    });
    return cookie;
  }

  byCookie(cookie: string): Holder | undefined {
    return this.#holderOf(digest(cookie));
  }

  byTicket(ticket: string): Holder | undefined {
    const given = digest(ticket);
    for (const [key, browser] of this.#all) if (digest(browser.ticket) === given) return this.#holderOf(key);
    return undefined;
  }

  signOut(cookie: string): boolean {
    return this.#end(digest(cookie));
  }

  review(): void {
    for (const key of [...this.#all.keys()]) this.#holderOf(key);
  }

  close(): void {
    for (const key of [...this.#all.keys()]) this.#end(key);
  }

  #holderOf(key: string): Holder | undefined {
    const browser = this.#all.get(key);
    if (!browser) return undefined;
    const now = this.#clock.now() < browser.endsAt ? browser.standsFor() : undefined;
    if (!now) {
      this.#end(key);
      return undefined;
    }
    if (now !== browser.from) {
      const { end, ticket } = browser;
      browser.from = now;
      browser.holder = { ...now, ticket, gone: AbortSignal.any([now.gone, end.signal]) };
    }
    return browser.holder;
  }

  #end(key: string): boolean {
    const browser = this.#all.get(key);
    if (!browser) return false;
    this.#all.delete(key);
    browser.cancel();
    browser.end.abort();
    return true;
  }

  // Ends the user's oldest sign-in if there are 64 (BROWSERS-4).
  #makeRoom(name: string): void {
    const own = [...this.#all].filter(([, browser]) => browser.name === name);
    for (const [key] of own.slice(0, Math.max(0, own.length - EACH_MAX + 1))) this.#end(key);
  }
}
