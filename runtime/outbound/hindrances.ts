// Hindrances
// Describes in words what prevents a log from being published.
//
//   Owns:          how long a failure must last to be reported, the words.
//   Does not own:  noticing the failure (outbox).

import type { Outbox } from "./outbox.ts";
import type { Clock } from "../ports.ts";
import { codeOf, nextOf, type Trouble } from "../errors/trouble.ts";

/** A shorter failure is not reported, because servers restart. */
const STUCK_MS = 10_000;

type Log = "changes" | "letters";
type Standing = Pick<Outbox<{ readonly n: number }>, "hindrance" | "waiting">;

const WORDS = {
  changes: { code: "CHANGES", one: "state change", of: "sessions" },
  letters: { code: "LETTERS", one: "dead letter", of: "lines" },
} as const satisfies Readonly<Record<Log, object>>;

/** Changes are essential, because others learn nothing without them. Dead letters can also be read from the engine. */
export function hindrances(log: Log, { hindrance, waiting }: Standing, clock: Clock): readonly Trouble[] {
  const { failing, held } = hindrance;
  const { code, one, of } = WORDS[log];
  const ageMs = (since: number): number => clock.monotonic() - since;
  const sinceOf = (since: number): number => Math.round(clock.now() - ageMs(since));
  const troubles: Trouble[] = [];
  if (failing && ageMs(failing.since) >= STUCK_MS) {
    troubles.push({
      code: `${code}_STUCK`,
      message: `No ${one} leaves the engine (${codeOf(failing.error)}); ${waiting} wait. The engine keeps them, and publishes them in order once publishing works again.`,
      next: nextOf(failing.error),
      since: sinceOf(failing.since),
      isEssential: log === "changes",
    });
  }
  if (held) {
    troubles.push({
      code: `${code}_HELD`,
      message: `The ${one}s of ${held.lines} ${of} do not leave (${codeOf(held.error)}); ${held.rows} wait. All others leave.`,
      next: nextOf(held.error),
      since: sinceOf(held.since),
      isEssential: false,
    });
  }
  return troubles;
}
