// Browsers
// Keeps the signed-in browsers: the cookie of each, its user, and when the sign-in ends.
//
//   Owns:          the browsers' cookies and tickets, signing a browser out, the end of sign-ins with a time limit.
//   Does not own:  which users a token or a provider lets in (holders, sign-in), the cookie's header (session-cookie).
//   Decided in:    docs/decisions/0090-sign-in-by-an-identity-provider.md.
//
// BROWSERS-1. Each sign-in makes a new random cookie, so nobody can give a browser a cookie that they know. Cookies are looked up
//     by their hash.
// BROWSERS-2. Signing a browser out ends its cookie, its ticket and its streams at once. Other browsers stay signed in.
// BROWSERS-3. A browser stays signed in only as long as its user has access. A sign-in with a time limit ends at that limit,
//     even if the browser sends no more requests.
// BROWSERS-4. One user has at most 64 browsers: a sign-in in a further browser ends the oldest sign-in.

import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../../../runtime/ports.ts";
import type { Holder } from "./holders.ts";

interface Browser {
  readonly name: string;
  readonly ticket: string;
  /** When the sign-in ends, ms. It is a time of day, because timers stop while the machine sleeps. */
  readonly endsAt: number;
  readonly end: AbortController;
  /** The cookie's user, as listed now; undefined once that user has no access. */
  readonly standsFor: () => Holder | undefined;
  /** The user that `standsFor` returned last. `holder` is made from this user, and made anew when the user changes. */
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

  /**
   * Signs a browser in.
   * @param name the name of the user. @param standsFor finds the user at each request.
   * @param lastsMs at most 24 days, the limit of a timer. Without it, the sign-in lasts as long as the user has access.
   * @returns the cookie.
   */
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

  /** Finds the user of a browser's ticket. @returns undefined if the ticket belongs to no signed-in browser. */
  byTicket(ticket: string): Holder | undefined {
    const given = digest(ticket);
    for (const [key, browser] of this.#all) if (digest(browser.ticket) === given) return this.#holderOf(key);
    return undefined;
  }

  /** Signs the browser with this cookie out (BROWSERS-2). @returns false if no browser has it. */
  signOut(cookie: string): boolean {
    return this.#end(digest(cookie));
  }

  /** Ends the sign-ins of users who no longer have access. */
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

  /** Ends the user's oldest sign-ins, so that one more fits (BROWSERS-4). */
  #makeRoom(name: string): void {
    const own = [...this.#all].filter(([, browser]) => browser.name === name);
    for (const [key] of own.slice(0, Math.max(0, own.length - EACH_MAX + 1))) this.#end(key);
  }
}
