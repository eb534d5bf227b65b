// Turn
// Applies one journal entry: writes either all effects of the entry, or a record of why the entry has no effects.
//
//   Owns:          which entries are applied; moving the cursor.
//   Does not own:  what a message does (handlers, playing), replies and dead letters (verdict), durability (commit).
//
// TURN-1. A turn depends only on its entry and on the rows before the turn. A turn uses no clock, no random numbers and no I/O
//     (G10).
// G1. Every entry ends as applied, duplicate, rejected or dead. The engine records each of these ends, and skips no entry.
// TURN-2. A message to a workspace of another partition becomes a dead letter. An earlier entry of the journal names the
//     partition, so every engine that reads the journal decides in the same way.
// G9.  An entry whose turn throws is rejected completely. The next entry finds the rows as they were before.

import { letterOf } from "./set-aside/letter.ts";
import type { TurnResult, Reply } from "./turn-result.ts";
import { defined, type Input, sessionAddress } from "../../machines/index.ts";
import { checkPartition } from "../cluster/partition.ts";
import { FatalError, RefusedError } from "../errors/errors.ts";
import { follow } from "../journal/journal-time.ts";
import { keys } from "../rows/keys.ts";
import { type Message, readMessage } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import { passMissing } from "./missing.ts";
import type { Layer } from "../rows/overlay.ts";
import { heard, own } from "./handlers.ts";
import type { TurnDeps } from "./playing.ts";
import { setPoisonAside } from "./set-aside/poison.ts";
import type { JournalEntry } from "../ports.ts";
import { prove } from "./proof.ts";
import { isRepeated } from "../rows/seen.ts";
import { charge, chargeAgain, turnedAway } from "./turning-away.ts";
import { setAside, settle, tellOfEarlier, type Verdict } from "./verdict.ts";

/** Applies an entry in the group that is not committed yet. @throws FatalError only. */
export function turn(group: Layer, entry: JournalEntry, deps: TurnDeps): TurnResult {
  const { position, hash, missingFrom } = entry;
  if (missingFrom !== undefined) return passMissing(group, entry, missingFrom);
  const before = meta(group);
  const { at, clock } = follow(before, entry.at);
  const bytes = before.bytes + (entry.bytes ?? Buffer.byteLength(entry.body));
  const stamped = stampedAt(entry, at);
  const attempt = (step: () => TurnResult): TurnResult =>
    group.attempt(() => {
      setMeta(group, { position, at, clock, bytes, ...defined({ hash }) });
      tellOfEarlier(group, stamped);
      const result = step();
      prove(group, before, result);
      return result;
    });
  try {
    return attempt(() =>
      deps.isPoison?.(position) === true
        ? setPoisonAside(group, stamped, deps.digest)
        : (turnedAway(group, stamped) ?? apply(group, stamped, deps)),
    );
  } catch (defect) {
    if (defect instanceof FatalError) throw defect;
    return attempt(() => {
      chargeAgain(group, stamped);
      const verdict = setAside(group, stamped, letterOf(defect, entry.body));
      return settle(group, stamped, undefined, { ...verdict, defect });
    });
  }
}

/** A copy of the entry with another time. The copy reads the entry's body only when it is needed. */
function stampedAt(entry: JournalEntry, at: number): JournalEntry {
  if (at === entry.at) return entry;
  const { position, from, bytes } = entry;
  const known = defined({ from, bytes });
  return {
    position,
    at,
    get body() {
      return entry.body;
    },
    ...known,
  };
}

function apply(layer: Layer, entry: JournalEntry, deps: TurnDeps): TurnResult {
  let message: Message | undefined;
  let inputs: readonly Input[] = [];
  try {
    message = readMessage(entry.body);
    charge(layer, entry, message);
    const known = message.key === undefined ? undefined : layer.get(keys.reply(message.key));
    // The cast is safe: only `settle` writes reply rows.
    const repeats = known as Reply | undefined;
    const { position, at } = entry;
    if (repeats) return { position, at, outcome: "duplicate", changes: [], answers: [], repeats };
    if (message.door === "in") {
      checkPartition(meta(layer).configuration.partition, message.workspace);
      inputs = deps.translate(message);
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return settle(layer, entry, message, setAside(layer, entry, letterOf(error, entry.body)));
  }
  return settle(layer, entry, message, verdictOf(layer, entry, message, inputs, deps));
}

function verdictOf(
  layer: Layer,
  entry: JournalEntry,
  message: Message,
  inputs: readonly Input[],
  deps: TurnDeps,
): Verdict {
  const home = sessionAddress(message.workspace, message.session);
  if (message.door === "own") return own({ layer, entry, message, home, deps });
  if (isRepeated(layer, entry, message, deps.digest)) return { outcome: "duplicate" };
  return heard({ layer, entry, message, home, deps }, inputs);
}
