// Turn
// Applies one journal entry: all its effects, or a record of why it has none.
//
//   Owns:          which entries are played; numbering changes and audit rows; the cursor.
//   Does not own:  delivery to actors (delivery), replies and dead letters (verdict), durability (commit).
//
// TURN-1. A turn depends on the rows before it and its entry alone: no clock, no chance, no I/O (G10).
// G1.  Every entry ends as applied, duplicate, rejected or dead; each is recorded, none is skipped.
// G5.  All changes of a turn carry its position, their part and the number of parts: a turn is seen as one.
// G9.  An entry that throws is rejected completely; the next entry finds the rows as they were.

import { earlyList } from "./early-list.ts";
import { letterOf } from "./letter.ts";
import type { TurnResult, Reply } from "./turn-result.ts";
import { type Address, type Audit, type Input, sessionAddress } from "../../machines/index.ts";
import { spendAlarm } from "../rows/alarms.ts";
import type { DraftChange, StateChange } from "../rows/changes.ts";
import { completed } from "../config.ts";
import { FatalError, RefusedError } from "../errors/errors.ts";
import { HOLD_TIMER } from "../rows/holdback-rows.ts";
import { everything, inOrder, overdue } from "./holdback.ts";
import { accept, follow, reckon } from "../journal/journal-time.ts";
import { correct } from "../rows/keeping.ts";
import { keys } from "../rows/keys.ts";
import { countChanges } from "../rows/ledger.ts";
import { isInput, type Message, type OwnMessage, readMessage, type Translate } from "../message.ts";
import { meta, setMeta } from "../rows/meta.ts";
import { passMissing } from "./missing.ts";
import type { Layer } from "../rows/overlay.ts";
import { type AttemptDeps, InputAttempts } from "./input-attempts.ts";
import { setPoisonAside } from "./poison.ts";
import type { JournalEntry } from "../ports.ts";
import { dismiss } from "./dismissing.ts";
import { make, unmake } from "./rule-making.ts";
import { prove } from "./proof.ts";
import { playRetried } from "./retried.ts";
import { isRepeated } from "../rows/seen.ts";
import type { TurnChanges } from "../rows/turn-changes.ts";
import { sweep } from "./sweep.ts";
import { entombStranger } from "./tombs.ts";
import { charge, chargeAgain, turnedAway } from "./turning-away.ts";
import { setAside, settle, tellOfEarlier } from "./verdict.ts";

export interface TurnDeps extends AttemptDeps {
  readonly epoch: number;
  /** The position of an entry that must not be applied: it crashed processes. */
  readonly poison?: number | undefined;
}

/** Applies an entry to the open group. @throws FatalError only. */
export function turn(group: Layer, entry: JournalEntry, deps: TurnDeps): TurnResult {
  const { position, hash, missingFrom } = entry;
  if (missingFrom !== undefined) return passMissing(group, entry, missingFrom);
  const before = meta(group);
  const { at, clock } = follow(before, entry.at);
  const bytes = before.bytes + (entry.bytes ?? Buffer.byteLength(entry.body));
  const stamped = stampedAt(entry, at);
  const attempt = (step: () => TurnResult): TurnResult =>
    group.attempt(() => {
      setMeta(group, { position, at, clock, bytes, ...(hash !== undefined && { hash }) });
      tellOfEarlier(group, stamped);
      const result = step();
      prove(group, before, result);
      return result;
    });
  try {
    return attempt(() =>
      position === deps.poison
        ? setPoisonAside(group, stamped, deps.digest)
        : (turnedAway(group, stamped) ?? apply(group, stamped, deps)),
    );
  } catch (defect) {
    if (defect instanceof FatalError) throw defect;
    return attempt(() => {
      chargeAgain(group, stamped);
      return { ...setAside(group, stamped, letterOf(defect, entry.body), undefined), defect };
    });
  }
}

/** The body is read only when it is asked for. */
function stampedAt(entry: JournalEntry, at: number): JournalEntry {
  const { position, from, bytes } = entry;
  const known = { ...(from && { from }), ...(bytes !== undefined && { bytes }) };
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
  let inputs: readonly Input[];
  try {
    message = readMessage(entry.body);
    charge(layer, entry, message);
    const known = message.key === undefined ? undefined : layer.get(keys.reply(message.key));
    // Reply rows are written by `settle` only.
    if (known !== undefined) return repeat(entry, known as Reply);
    inputs = inputsOf(message, deps.translate);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return setAside(layer, entry, letterOf(error, entry.body), message);
  }
  if (message.door === "own" && message.said.type === "refused")
    return setAside(layer, entry, message.said, message);
  if (isRepeated(layer, entry, message, deps.digest))
    return settle(layer, entry, message, { outcome: "duplicate" });
  if (message.door === "own" && message.said.type === "configured") {
    setMeta(layer, { configuration: completed(message.said.configuration, deps.clients.defaults) });
    return settle(layer, entry, message, { outcome: "applied" });
  }
  if (message.door === "own" && message.said.type === "swept") {
    const swept = sweep(layer, entry, message.said);
    return settle(layer, entry, message, { outcome: "applied", swept });
  }
  if (message.door === "own" && message.said.type === "measured") {
    correct(layer, entry.at, message.said);
    return settle(layer, entry, message, { outcome: "applied" });
  }
  if (message.door === "own" && message.said.type === "tallied") {
    const { reckoned } = message.said;
    if (reckoned !== undefined) setMeta(layer, reckon(meta(layer), reckoned));
    return settle(layer, entry, message, { outcome: "applied" });
  }
  if (message.door === "own" && message.said.type === "dismissed")
    return settle(layer, entry, message, dismiss(layer, entry, message.said));
  if (message.door === "own" && message.said.type === "rule.added")
    return settle(layer, entry, message, make(layer, entry, message, message.said));
  if (message.door === "own" && message.said.type === "rule.removed")
    return settle(layer, entry, message, unmake(layer, entry, message, message.said));
  if (message.door === "own" && message.said.type === "clock.accepted") {
    setMeta(layer, accept(meta(layer)));
    return settle(layer, entry, message, { outcome: "applied" });
  }
  return play(layer, entry, message, inputs, deps);
}

function inputsOf(message: Message, translate: Translate): readonly Input[] {
  if (message.door === "in") return translate(message);
  const { said } = message;
  return isInput(said) ? [said] : [];
}

/** Plays what can be applied now: the message and those that waited for it, or nothing yet. */
function play(
  layer: Layer,
  entry: JournalEntry,
  message: Message,
  inputs: readonly Input[],
  deps: TurnDeps,
): TurnResult {
  const home = sessionAddress(message.workspace, message.session);
  const played = new InputAttempts(layer, entry, deps);
  if (message.door === "own") playOwn(layer, home, entry, message, inputs, played);
  else played.release(inOrder(layer, home, entry, message, deps.digest), { message, inputs });
  record(layer, entry, message, played.audits);
  const { attempts, answers, code, defect, waitsFor } = played;
  const wait = waitsFor === undefined ? [] : [`it waits for number ${waitsFor} of its source`];
  const reasons = [...wait, ...played.reasons];
  const failed = reasons.length > 0 && reasons.length === attempts;
  const outcome = waitsFor !== undefined ? "held" : failed ? "rejected" : "applied";
  const changes = number(layer, entry, message, played.changes, deps.epoch);
  const warning = earlyList(message, changes);
  entombStranger(layer, home, entry.at);
  return settle(layer, entry, message, {
    outcome,
    changes,
    answers,
    ...(waitsFor !== undefined && { waitsFor }),
    ...(warning && { warning }),
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    ...(code !== undefined && { code }),
    ...(defect !== undefined && { defect }),
  });
}

function playOwn(
  layer: Layer,
  home: Address,
  entry: JournalEntry,
  message: OwnMessage,
  inputs: readonly Input[],
  played: InputAttempts,
): void {
  const { said } = message;
  if (said.type === "retried") return playRetried(layer, home, entry, said, played);
  if (said.type === "timer.fired" && said.timer === HOLD_TIMER) {
    if (spendAlarm(layer, home, said) === "spent") played.release(overdue(layer, home, entry.at));
    return;
  }
  // Waiting messages were taken in earlier; one of them may be what keeps the session.
  if (said.type === "timer.fired" && said.timer === "removal" && said.address === home)
    played.release(everything(layer, home));
  played.play(message, inputs);
}

function record(layer: Layer, entry: JournalEntry, message: Message, audits: readonly Audit[]): void {
  if (audits.length === 0) return;
  const { workspace, session } = message;
  let { audits: n } = meta(layer);
  for (const audit of audits)
    layer.set(keys.audit(++n), { n, workspace, sessionId: session, position: entry.position, ...audit });
  setMeta(layer, { audits: n });
}

function number(
  layer: Layer,
  entry: JournalEntry,
  message: Message,
  drafts: readonly DraftChange[],
  epoch: number,
): readonly StateChange[] {
  if (drafts.length === 0) return [];
  let { changes: n } = meta(layer);
  const home = sessionAddress(message.workspace, message.session);
  const before = countChanges(layer, home, drafts.length, n + drafts.length);
  let { version, newest: previous } = before ?? { version: 0, newest: undefined };
  const followers = cascades(drafts);
  const { position: turn, at } = entry;
  const numbered = drafts.map(({ view, ...draft }, index): StateChange => {
    const cascade = draft.to === "denied" ? followers.get(draft.id) : undefined;
    const part = index + 1;
    const link = previous === undefined ? {} : { previous };
    previous = ++n;
    return {
      n,
      ...link,
      ...draft,
      version: ++version,
      epoch,
      turn,
      part,
      parts: drafts.length,
      at,
      ...(cascade && { cascade }),
      view,
    };
  });
  layer.set(keys.change(n), { at, changes: numbered } satisfies TurnChanges);
  setMeta(layer, { changes: n });
  return numbered;
}

/** By denied call: the calls of this turn that are denied with it. */
function cascades(drafts: readonly DraftChange[]): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>();
  for (const { entity, to, id, cause } of drafts) {
    if (entity !== "toolcall" || to !== "denied") continue;
    const { callId } = cause as { callId?: string };
    if (callId !== undefined) followers.set(callId, [...(followers.get(callId) ?? []), id]);
  }
  return followers;
}

/** A message whose key already has a reply: the same input sent twice counts once and gets one answer. */
function repeat({ position, at }: JournalEntry, repeats: Reply): TurnResult {
  return { position, at, outcome: "duplicate", changes: [], answers: [], repeats };
}
