// Playing
// Applies the inputs of one message, and returns what they changed.
//
//   Owns:          numbering the changes and the audit rows of a turn.
//   Does not own:  choosing the inputs (handlers), the attempt to apply one input (input-attempts), delivering events to actors
//                  (delivery).
//
// G5. Every change contains the position of its turn, its number within the turn, and how many changes the turn has, so that a
//      reader can read all changes of a turn together.
// PLAYING-1. If several engines share the journal, the epoch in a change is the number of the newest term. So every engine
//     publishes the same bytes.

import { earlyList } from "./early-list.ts";
import { type AttemptDeps, InputAttempts } from "./input-attempts.ts";
import { entombStranger } from "./tombs.ts";
import type { Verdict } from "./verdict.ts";
import { type Address, type Audit, defined } from "../../machines/index.ts";
import type { Message } from "../message.ts";
import type { JournalEntry } from "../ports.ts";
import type { DraftChange, StateChange } from "../rows/changes.ts";
import { keys } from "../rows/keys.ts";
import { countChanges, countedOf } from "../rows/ledger.ts";
import { meta, setMeta } from "../rows/meta.ts";
import type { Layer } from "../rows/overlay.ts";
import { noted } from "../rows/trace-notes.ts";
import type { TurnChanges } from "../rows/turn-changes.ts";

export interface TurnDeps extends AttemptDeps {
  readonly epoch: number;
  /** True for an entry that must not be applied, because it crashed an engine. */
  readonly isPoison?: (position: number) => boolean;
  /** The build of the engine that applies the entry; absent in a replay of the past. */
  readonly build?: string;
}

export interface Played<M extends Message = Message> {
  readonly layer: Layer;
  readonly entry: JournalEntry;
  readonly message: M;
  readonly home: Address;
  readonly deps: TurnDeps;
}

/** @param give applies the inputs that can be applied now: those of this message, and those of messages that waited for it. */
export function play(turn: Played, give: (attempts: InputAttempts) => void): Verdict {
  const { layer, entry, message, home, deps } = turn;
  const played = new InputAttempts(layer, entry, deps);
  give(played);
  record(turn, played.audits);
  const { attempts, answers, code, defect, waitsFor } = played;
  const wait = waitsFor === undefined ? [] : [`it waits for number ${waitsFor} of its source`];
  const reasons = [...wait, ...played.reasons];
  const failed = reasons.length > 0 && reasons.length === attempts;
  const outcome = waitsFor !== undefined ? "held" : failed ? "rejected" : "applied";
  const changes = number(turn, played.changes);
  const warning = earlyList(message, changes);
  entombStranger(layer, home, entry.at);
  return {
    outcome,
    changes,
    answers,
    ...defined({ waitsFor, warning }),
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    ...defined({ code, defect }),
  };
}

function record({ layer, entry, message }: Played, audits: readonly Audit[]): void {
  if (audits.length === 0) return;
  const { workspace, session } = message;
  let { audits: n } = meta(layer);
  for (const audit of audits)
    layer.set(keys.audit(++n), { n, workspace, sessionId: session, position: entry.position, ...audit });
  setMeta(layer, { audits: n });
}

function number(
  { layer, entry, message, home, deps }: Played,
  drafts: readonly DraftChange[],
): readonly StateChange[] {
  if (drafts.length === 0) return [];
  let { changes: n } = meta(layer);
  const epoch = meta(layer).term?.n ?? deps.epoch;
  const sent = message.door === "in" ? message.traceparent : undefined;
  const { of: traceOf, left: traces } = noted(countedOf(layer, home)?.traces, drafts, sent);
  const count = drafts.length;
  const before = countChanges(layer, home, { count, newest: n + count, traces });
  let { version, newest: previous } = before ?? { version: 0, newest: undefined };
  const followers = cascades(drafts);
  const { position: turn, at } = entry;
  const numbered = drafts.map((whole, index): StateChange => {
    const { view, ...draft } = whole;
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
      parts: count,
      at,
      ...defined({ cascade, traceparent: traceOf(whole) }),
      view,
    };
  });
  layer.set(keys.change(n), { at, changes: numbered } satisfies TurnChanges);
  setMeta(layer, { changes: n });
  return numbered;
}

function cascades(drafts: readonly DraftChange[]): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>();
  for (const { entity, to, id, cause } of drafts) {
    if (entity !== "toolcall" || to !== "denied") continue;
    const { callId } = cause as { callId?: string };
    if (callId !== undefined) followers.set(callId, [...(followers.get(callId) ?? []), id]);
  }
  return followers;
}
