// Moments
// Reads past approvals, and calls that ran without an approval, in the form that rules read. A trial of rules (rule-trial) uses
// this to compute how the rules would have answered.
//
//   Owns:          which calls count as run without an approval, which facts about a call a rule reads.
//   Does not own:  finding past approvals in the store (places), how rules would answer (rule-trial).
//
// BACKTEST-MOMENTS-1. If an approval is removed while the trial runs, the trial reads the row that the removal wrote for it (past
//     approvals).
// BACKTEST-MOMENTS-2. A call that began counts as run without an approval if the engine knows neither an approval nor a denial of
//     the call.
// BACKTEST-MOMENTS-3. An approval or call whose row cannot be read is left out.

import {
  type AskedCall,
  type CallContext,
  childAddress,
  defined,
  type SessionId,
  sessionAddress,
  type WorkspaceId,
} from "../../../machines/index.ts";
import { keys } from "../../rows/keys.ts";
import type { PastApproval } from "../../rows/past-approvals.ts";
import { regionOf } from "../../rows/views.ts";
import { askerIn, keptAs } from "../asked-before.ts";
import type { Reader } from "../reader.ts";
import type { Place } from "./places.ts";

/** A call that ran without an approval. */
export interface UnaskedCall extends AskedCall {
  readonly callId: string;
  readonly state: string;
}

export type Moment =
  | { readonly kind: "asked"; readonly asked: PastApproval }
  | { readonly kind: "unasked"; readonly call: UnaskedCall };

/** Reads the approval or the call at a place in the store. @returns undefined if its row has nothing that a rule could read. */
export function momentAt(reader: Reader, workspace: string, place: Place): Moment | undefined {
  try {
    if (place.kind === "call") {
      const call = unaskedAt(reader, workspace, place);
      return call && { kind: "unasked", call };
    }
    const asked = askedAt(reader, workspace, place);
    return asked && { kind: "asked", asked };
  } catch {
    return undefined;
  }
}

function askedAt(reader: Reader, workspace: string, place: Place): PastApproval | undefined {
  const { at, kind, session, id } = place;
  const kept = kind === "approval" ? keptAs(reader, addressOf(workspace, place)) : undefined;
  if (kept) return kept;
  const text = reader.store.get(keys.pastApproval(at, workspace, session, id));
  // The cast is safe: only keepPast writes rows of past approvals.
  return text === undefined ? undefined : (JSON.parse(text) as PastApproval);
}

function unaskedAt(reader: Reader, workspace: string, place: Place): UnaskedCall | undefined {
  const found = reader.actor(addressOf(workspace, place));
  if (!found) return undefined;
  const state = regionOf(found.value, "execution");
  // The cast is safe: what is found at a call's address is a call, so its context is a call's.
  const call = found.context as CallContext;
  const isAsked = call.approval !== undefined || regionOf(found.value, "approval") !== "none";
  if (isAsked || !RAN.includes(state)) return undefined;
  const { id, tool, input, agentId, createdAt: at } = call;
  const asker = askerIn(reader, homeOf(workspace, place), agentId);
  const sessionId = place.session as SessionId;
  const ran = { callId: id, state, sessionId, tool, agentId, at, isAmbiguous: false };
  return { ...ran, ...defined({ input: call.ranInput ?? input, ...asker }) };
}

/** BACKTEST-MOMENTS-2: the states that show that a call began to run. */
const RAN: readonly string[] = ["processing", "completed", "failed", "missing-post"];

// The casts are safe: the parts of a key are ids that the engine checked.
const homeOf = (workspace: string, { session }: Place) =>
  sessionAddress(workspace as WorkspaceId, session as SessionId);

const addressOf = (workspace: string, place: Place) =>
  childAddress(homeOf(workspace, place), place.kind === "call" ? "call" : "approval", place.id);
