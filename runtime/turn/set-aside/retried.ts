// Retried
// When a person asks for a retry, applies an entry that was set aside.
//
//   Owns:          applying the entry in the turn of the retry; marking the entry's dead letter as retried.
//   Does not own:  setting entries aside (poison), closed sessions (closed), which dead letters can be retried (door/retry).
//
// G1. The entry is applied once: the retry marks its dead letter as retried, so the entry cannot be retried again.
// G8. If the retry applies the entry, its session takes approvals again. If the retry fails, the dead letter is not marked, and
//     the session stays closed.

import { type Address, type Input, sessionAddress } from "../../../machines/index.ts";
import { rearm } from "../../rows/alarms.ts";
import { close, reopen } from "./closed.ts";
import type { DeadLetter } from "../../rows/dead-letters.ts";
import { FatalError } from "../../errors/errors.ts";
import { HOLD_TIMER } from "../../rows/holdback-rows.ts";
import { keys } from "../../rows/keys.ts";
import { isInput, type Message, messageIn, type Retried } from "../../message.ts";
import type { Layer } from "../../rows/overlay.ts";
import type { InputAttempts } from "../input-attempts.ts";
import type { JournalEntry } from "../../ports.ts";

/** Applies again an entry that was set aside. @param home the session of the entry, as the retry names it. */
export function playRetried(
  layer: Layer,
  home: Address,
  entry: JournalEntry,
  { letter: n }: Retried,
  played: InputAttempts,
): void {
  const letter = layer.get(keys.dead(n)) as DeadLetter | undefined;
  const message = letter && letter.retriedAt === undefined ? buriedIn(layer, letter) : undefined;
  if (!letter || !message || sessionAddress(message.workspace, message.session) !== home)
    return played.turnAway(home, "retried", `letter ${n} does not exist any more, or was retried before`);
  let inputs: readonly Input[];
  try {
    inputs = inputsOf(layer, message, played);
  } catch (error) {
    if (error instanceof FatalError) throw error;
    return played.turnAway(home, "retried", error instanceof Error ? error.message : String(error));
  }
  reopen(layer, home, n, letter.position);
  played.play(message, inputs);
  if (played.defect !== undefined || played.isClosed) return close(layer, home, n);
  layer.delete(keys.buried(n));
  layer.set(keys.dead(n), { ...letter, retriedAt: entry.position } satisfies DeadLetter);
}

/** The entry of a dead letter. Version 0.1.0 did not store the whole entry, so the letter's own text is used. */
function buriedIn(layer: Layer, { n, code, body }: DeadLetter): Message | undefined {
  const whole = layer.get(keys.buried(n)) as string | undefined;
  return whole !== undefined || code === "POISON" ? messageIn(whole ?? body) : undefined;
}

function inputsOf(layer: Layer, message: Message, played: InputAttempts): readonly Input[] {
  if (message.door === "in") return played.translate(message);
  const { said } = message;
  if (!isInput(said)) return [];
  if (said.type !== "timer.fired") return [said];
  // A deadline of the hold-back only released messages that waited. Each of them has a dead letter of its own, so nothing is
  // retried here.
  if (said.timer === HOLD_TIMER) return [];
  const generation = rearm(layer, said.address as Address, said.timer);
  return generation === undefined ? [] : [{ ...said, generation }];
}
