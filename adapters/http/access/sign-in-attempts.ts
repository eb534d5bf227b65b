// Sign-in attempts
// The data against which a sign-in by a provider is checked. The browser that began the sign-in stores the data, encrypted.
//
//   Owns:          encrypting the data, the time after which the data are no longer valid, accepting the data only once.
//   Does not own:  the cookie (session-cookie), what is checked (identity provider).
//
// SIGN-IN-ATTEMPTS-1. Only the browser that began a sign-in can complete it: at the same name of the engine, within ten minutes,
//     only once, and before the engine ends.
// SIGN-IN-ATTEMPTS-2. A caller who begins any number of sign-ins uses no memory of the engine, and does not disturb other users.

import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Attempt } from "../../../runtime/line/identity.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { ATTEMPT_SECONDS } from "./session-cookie.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_MAX = 4_096;
/**
 * How many used attempts are remembered. Only a flood of sign-ins can use more of them within ten minutes; the provider then
 * still refuses a code that was used before.
 */
const USED_MAX = 10_000;

const sealed = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirect: z.string(),
  until: z.number(),
});

const told = z.object({ words: z.string() });

export class SignInAttempts {
  readonly #clock: Clock;
  readonly #key = randomBytes(KEY_BYTES);
  /** The `state` values of attempts that were used, the oldest first. */
  readonly #used = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  seal(attempt: Attempt): string {
    return this.#seal({ ...attempt, until: this.#clock.monotonic() + ATTEMPT_SECONDS * 1_000 });
  }

  /** Encrypts what the next page shows the user: why the attempt failed, and what to do. */
  sealWords(words: string): string {
    return this.#seal({ words });
  }

  wordsIn(kept: string | undefined): string | undefined {
    return told.safeParse(this.#open(kept ?? "")).data?.words;
  }

  /**
   * Ends an attempt (SIGN-IN-ATTEMPTS-1).
   * @param redirect the address to which the provider sent the browser.
   * @returns the attempt; undefined if it was used before, is too old or unreadable, or has another address or `state`.
   */
  use(kept: string | undefined, redirect: string, state: string | null): Attempt | undefined {
    const opened = sealed.safeParse(this.#open(kept ?? "")).data;
    if (!opened) return undefined;
    const { until, ...attempt } = opened;
    const isItsOwn = attempt.redirect === redirect && isSame(attempt.state, state ?? "");
    if (!isItsOwn || until <= this.#clock.monotonic() || this.#used.has(attempt.state)) return undefined;
    this.#used.add(attempt.state);
    for (const old of this.#used) {
      if (this.#used.size <= USED_MAX) break;
      this.#used.delete(old);
    }
    return attempt;
  }

  #seal(value: object): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
  }

  #open(kept: string): unknown {
    const bytes = Buffer.from(kept.slice(0, SEALED_MAX), "base64url");
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString("utf8"));
    } catch {
      return undefined; // The cookie was made by another program, or before this start of the engine.
    }
  }
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
