// Sign-in attempts
// The data that a sign-in by a provider is checked against, encrypted and kept by the browser that began the sign-in.
//
//   Owns:          encrypting the data, when they expire, that they count once.
//   Does not own:  the cookie (session-cookie), what is checked (identity provider).
//
// SIGN-IN-ATTEMPTS-1. Only the browser that began a sign-in can complete it: under the engine's name where it began, within ten
//     minutes, once, and before the engine ends.
// SIGN-IN-ATTEMPTS-2. A caller who begins sign-ins without end uses no memory here, and does not disturb other users.

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
/** Only a flood of sign-ins ends more attempts than this within ten minutes. Even then the provider refuses a used code. */
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
  /** The states of attempts that ended, oldest first. */
  readonly #used = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Encrypts an attempt. @returns the text that the browser keeps. */
  seal(attempt: Attempt): string {
    return this.#seal({ ...attempt, until: this.#clock.monotonic() + ATTEMPT_SECONDS * 1_000 });
  }

  /** Encrypts why an attempt failed, for the page that shows the reason. */
  sealWords(words: string): string {
    return this.#seal({ words });
  }

  wordsIn(kept: string | undefined): string | undefined {
    return told.safeParse(this.#open(kept ?? "")).data?.words;
  }

  /**
   * Completes the attempt that the browser began (SIGN-IN-ATTEMPTS-1).
   * @param redirect the address to which the provider sent the browser back. @param state the state, as the browser brought it
   *   back.
   * @returns the attempt, once; undefined if this request does not complete an attempt that the browser began.
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
      return undefined; // Another program wrote the cookie, or this engine before its last start.
    }
  }
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
