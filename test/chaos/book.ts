// Book
// What the driver of the chaos itself did and saw, call by call: the judge's own source.
//
//   Owns:          the shape of a call, its answers, its runs; the clock of all that is written here.
//   Does not own:  writing it (answers, gates, round, rules), judging by it (causes, judge).
//
// BOOK-1. No two times of the book are equal, and what was noted later has the later one.

export type Verdict = "approve" | "deny";
export type Way = "HTTP" | "CLI" | "NATS";

/** What is known of one sending: its reply came, it may have arrived, or nobody listened. */
export type Fate = "accepted" | "refused" | "lost" | "unsent";

export interface Try {
  readonly sentAt: number;
  readonly endedAt: number;
  readonly fate: Fate;
}

/** An answer as it was sent. Over HTTP and NATS each of its tries has the same key. */
export interface Answer {
  readonly approvalId: string;
  /** Of the input that the driver asked about, not of what the engine showed. */
  readonly inputHash: string;
  readonly verdict: Verdict;
  readonly way: Way;
  /** As whom the engine knows the driver by this way. */
  readonly by: string;
  readonly message?: string;
  readonly updatedInput?: object;
  readonly tries: Try[];
}

/** The call was let through: by its gate's word, or by what the real client did. */
export interface Ran {
  readonly at: number;
  readonly input: object;
}

/** A call that somebody was asked about. */
export interface Call {
  /** Stands in its input, and in no other call's. */
  readonly mark: string;
  readonly session: string;
  readonly tool: string;
  readonly input: object;
  readonly answers: Answer[];
  readonly runs: Ran[];
  /** Its gate, or its client, was killed: nobody is there to hear the answer. */
  isHarmed: boolean;
  /** What the gate printed, or what the client did. */
  said: "allow" | "deny" | "nothing" | undefined;
  message: string | undefined;
  endedAt: number | undefined;
  /** While it waited, the engine or its journal was away until then. */
  backAt: number | undefined;
}

/** A call that nobody has answered. */
export const newCall = (session: string, mark: string, tool: string, input: object): Call => ({
  session,
  mark,
  tool,
  input,
  answers: [],
  runs: [],
  isHarmed: false,
  said: undefined,
  message: undefined,
  endedAt: undefined,
  backAt: undefined,
});

/** A rule that the driver made, for commands that begin with these words. */
export interface Rule {
  readonly id: string;
  readonly effect: "allow" | "deny";
  readonly words: readonly string[];
  readonly session: string;
  readonly uses?: number;
  readonly sentAt: number;
}

let latest = 0;

/** BOOK-1. In ms of the wall clock, as an export tells its times; a thousandth more where that stands still. */
export const now = (): number => (latest = Math.max(Date.now(), latest + 0.001));
