// Held for words
// Holds a new approval back for a moment, until its own message tells why the call is made.
//
//   Owns:          which approvals are held, how long at most, and what releases one.
//   Does not own:  finding the words (machines/routing/words), showing the approval.
//   Decided in:    docs/decisions/0061-followers-hear-of-more-than-states.md.
//
// HELD-WORDS-1. An approval is shown once: when the words of its own message are known, or after 300 ms. An approval
//     that ends before is not shown.
// HELD-WORDS-2. None is held that no transcript tells words of: what a service asks comes with its words, or has none.

/** A transcript's lines come about 0.1 s after their message is complete; nobody waits longer than this to see an approval. */
export const HELD_MS = 300;

/** What must be known of an approval. */
export interface Worded {
  readonly approval: { readonly channels: readonly string[] };
  readonly call?: { readonly intent?: { readonly source: string } | undefined } | undefined;
}

/** How a client that writes transcripts asks, by whatever door: a service names channels of its own. */
const HAS_TRANSCRIPT: ReadonlySet<string> = new Set(["hook", "gate", "gate-sdk", "gate-mcp"]);

/** True where better words than those known may come at any moment. */
export const awaitsWords = ({ approval, call }: Worded): boolean =>
  call?.intent?.source !== "message" && approval.channels.some((channel) => HAS_TRANSCRIPT.has(channel));

type After = (delayMs: number, callback: () => void) => () => void;

export class HeldForWords<T extends Worded> {
  readonly #after: After;
  readonly #show: (asked: T, key: string) => void;
  readonly #held = new Map<string, { asked: T; readonly cancel: () => void }>();

  /** @param show is called once for each that is let go. */
  constructor(after: After, show: (asked: T, key: string) => void) {
    this.#after = after;
    this.#show = show;
  }

  /** Those that are held now. */
  get all(): readonly T[] {
    return [...this.#held.values()].map(({ asked }) => asked);
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  /** Takes in a new approval, or more about one that is held. */
  put(key: string, asked: T): void {
    const held = this.#held.get(key);
    if (!awaitsWords(asked)) {
      this.drop(key);
      this.#show(asked, key);
    } else if (held) held.asked = asked;
    else this.#held.set(key, { asked, cancel: this.#after(HELD_MS, () => this.letGo(key)) });
  }

  /** It is over, or shown otherwise. @returns whether it was held. */
  drop(key: string): boolean {
    this.#held.get(key)?.cancel();
    return this.#held.delete(key);
  }

  clear(): void {
    for (const key of [...this.#held.keys()]) this.drop(key);
  }

  /** Shows one that is held, whatever is known of it. */
  letGo(key: string): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.drop(key);
    this.#show(held.asked, key);
  }
}
