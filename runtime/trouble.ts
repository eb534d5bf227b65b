// Trouble
// What does not work just now, for people: told by whoever meets it, for as long as it lasts.
//
//   Owns:          the shape of what is told.
//   Does not own:  what can go wrong (journal, outlet-publisher, adapters), where it is shown (adapters).
//
// RUNTIME-TROUBLE-1. Anybody may read it: codes, counts and our own words; no ids, nothing that was sent, no text of an
//     error. (by review: each trouble is a sentence in the code)
// RUNTIME-TROUBLE-2. What the system refused is told by the system's own name for it, also where Node has a number only.

export interface Trouble {
  readonly code: string;
  readonly message: string;
  /** What to do, for a person. */
  readonly next: string;
  /** Since when, ms. */
  readonly since: number;
  /** True where messages cannot be taken in, or nobody hears what becomes of them: the engine is not ready. */
  readonly isEssential: boolean;
}

/** A used-up quota, which Node has no name for, by its number on Linux and on macOS. */
const NAMELESS: Readonly<Record<string, string>> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
};

/** The system's name for what Node calls by this code. */
export const systemName = (code: string): string => NAMELESS[code] ?? code;

/** The code of an error, where it has one of ours or of the system; else the name of its class. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? systemName(error.code) : error.name;
}

/** What an error of ours says is to be done. */
export const nextOf = (error: unknown): string =>
  error instanceof Error && "next" in error && typeof error.next === "string"
    ? error.next
    : "See the engine's log.";

/** Those there are, in the order given. */
export const allOf = (...told: readonly (Trouble | readonly Trouble[] | undefined)[]): readonly Trouble[] =>
  told.flatMap((each) => each ?? []);
