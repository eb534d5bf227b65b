// Held for words
// Delays a new approval for a moment, until the engine knows what the agent said in the message that made the call.
//
//   Owns:          which new approvals are delayed, for how long at most, and what ends the delay.
//   Does not own:  finding the words (machines/routing/words), showing the approval.
//   Decided in:    docs/decisions/0061-followers-hear-of-more-than-states.md.
//
// HELD-WORDS-1. An approval is shown once: when the agent's words in the message that made the call are known, or after 300 ms.
//     An approval that ends earlier is not shown.
// HELD-WORDS-2. An approval is delayed only if a transcript may contain the agent's words. The approval of a service is not
//     delayed, because a service can send words only together with its request.

/**
 * The longest time for which an approval is delayed, ms. A transcript's lines come about 0.1 s after their message is complete.
 */
export const HELD_MS = 300;

/** The facts of an approval by which it is decided whether showing it is delayed. */
export interface Worded {
  readonly approval: { readonly channels: readonly string[] };
  readonly call?: { readonly intent?: { readonly source: string } | undefined } | undefined;
}

/** The channels of clients that write transcripts; services have channels of their own. */
const HAS_TRANSCRIPT: ReadonlySet<string> = new Set(["hook", "gate", "gate-sdk", "gate-mcp"]);

/** True if the client's transcript may soon bring better words about the call than the known ones. */
export const awaitsWords = ({ approval, call }: Worded): boolean =>
  call?.intent?.source !== "message" && approval.channels.some((channel) => HAS_TRANSCRIPT.has(channel));

type After = (delayMs: number, callback: () => void) => () => void;

export class HeldForWords<T extends Worded> {
  readonly #after: After;
  readonly #show: (asked: T, key: string) => void;
  readonly #held = new Map<string, { asked: T; readonly cancel: () => void }>();

  constructor(after: After, show: (asked: T, key: string) => void) {
    this.#after = after;
    this.#show = show;
  }

  get all(): readonly T[] {
    return [...this.#held.values()].map(({ asked }) => asked);
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  /** Takes a new approval, or more facts about one that is being delayed. */
  put(key: string, asked: T): void {
    const held = this.#held.get(key);
    if (!awaitsWords(asked)) {
      this.drop(key);
      this.#show(asked, key);
    } else if (held) held.asked = asked;
    else this.#held.set(key, { asked, cancel: this.#after(HELD_MS, () => this.letGo(key)) });
  }

  /** Forgets a delayed approval that has ended, or is shown in another way. @returns whether the approval was being delayed. */
  drop(key: string): boolean {
    this.#held.get(key)?.cancel();
    return this.#held.delete(key);
  }

  clear(): void {
    for (const key of [...this.#held.keys()]) this.drop(key);
  }

  /** Shows a delayed approval now, with what is known of it. */
  letGo(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.drop(key);
    this.#show(held.asked, key);
  }
}
