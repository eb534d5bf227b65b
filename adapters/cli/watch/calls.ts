// Calls of a session
// One session's calls on the board of `watch`: some calls get a line, and of all other calls only the number is shown.
//
//   Owns:          the order of a session's calls, which of the calls get lines, counting the other calls by state.
//   Does not own:  the words about a call (board.ts).
//
// WATCH-CALLS-1. The board holds a limited number of calls for a session: if there are more, the oldest finished calls are only
//     counted.
// WATCH-CALLS-2. A session's lines are in the order of its calls. If there are too many calls, those that run get lines first,
//     then those that wait to run, then the newest finished ones.

import { labelOf } from "../../../runtime/text/state-words.ts";
import type { CallAnswer } from "../answers.ts";

const SHOWN_MAX = 6;
const KEPT_MAX = 200;
const OPEN: ReadonlySet<string> = new Set(["created", "queued", "processing"]);

interface Shown {
  readonly call: Pick<CallAnswer, "id" | "execution" | "batchId" | "index">;
  readonly line: string;
}

export class Calls {
  #calls: readonly Shown[] = [];
  readonly #gone = new Map<string, number>();

  put(call: CallAnswer, line: string): void {
    const { id, execution, batchId, index } = call;
    const next = { call: { id, execution, batchId, index }, line };
    const others = this.#calls.filter((each) => each.call.id !== id);
    this.#calls = [...others, next].sort(inOrder);
    if (this.#calls.length <= KEPT_MAX) return;
    const oldest = this.#calls.find((each) => !isOpen(each)) ?? this.#calls[0];
    this.#calls = this.#calls.filter((each) => each !== oldest);
    if (oldest) count(this.#gone, oldest.call.execution);
  }

  lines(): readonly string[] {
    const runs = this.#calls.filter(({ call }) => call.execution === "processing").slice(-SHOWN_MAX);
    const next = this.#calls.filter((each) => isOpen(each) && !runs.includes(each));
    const over = this.#calls.filter((each) => !isOpen(each));
    const shown = new Set([...runs, ...next.slice(0, SHOWN_MAX - runs.length)]);
    for (const each of over.slice(Math.max(0, over.length - (SHOWN_MAX - shown.size)))) shown.add(each);
    const hidden = new Map(this.#gone);
    for (const each of this.#calls) if (!shown.has(each)) count(hidden, each.call.execution);
    const counted = Array.from(hidden, ([state, times]) => `+${times} ${labelOf(state)}`).join(", ");
    return [
      ...(counted === "" ? [] : [counted]),
      ...this.#calls.filter((each) => shown.has(each)).map(({ line }) => line),
    ];
  }
}

const isOpen = ({ call }: Shown): boolean => OPEN.has(call.execution);

const count = (counts: Map<string, number>, state: string): void =>
  void counts.set(state, (counts.get(state) ?? 0) + 1);

const BATCHES = new Intl.Collator("en", { numeric: true });

const inOrder = ({ call: a }: Shown, { call: b }: Shown): number =>
  BATCHES.compare(a.batchId, b.batchId) || a.index - b.index;
