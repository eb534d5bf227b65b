// Score
// What an engine holds of a recording, against what all of its files together prove.
//
//   Owns:          what counts as right, as exact, as a known cause, as an approval at its call.
//   Does not own:  the proofs (oracle), how the recording was told (ways).
//
// SCORE-1. Right is what claims no other end than the proven one: nothing seen, still open, or closed without a
//     result claim none. A call that is made up claims what it claims.
// SCORE-2. Exact is the proven end. A cause counts where one is proven, and the end is exact.

import type { ToolInput } from "../../machines/index.ts";
import { type Proof, prove, proveApprovals } from "../support/oracle/oracle.ts";
import { likeness, type PlayedCall } from "../support/sessions/play.ts";
import type { Recording } from "../support/sessions/recording.ts";
import type { Way } from "./ways.ts";

export interface Score {
  readonly calls: number;
  readonly wrong: number;
  readonly exact: number;
  readonly causes: number;
  readonly causesKnown: number;
  readonly approvals: number;
  readonly approvalsRight: number;
}

export const NOTHING: Score = {
  calls: 0,
  wrong: 0,
  exact: 0,
  causes: 0,
  causesKnown: 0,
  approvals: 0,
  approvalsRight: 0,
};

export const sum = (one: Score, other: Score): Score => ({
  calls: one.calls + other.calls,
  wrong: one.wrong + other.wrong,
  exact: one.exact + other.exact,
  causes: one.causes + other.causes,
  causesKnown: one.causesKnown + other.causesKnown,
  approvals: one.approvals + other.approvals,
  approvalsRight: one.approvalsRight + other.approvalsRight,
});

const textOf = (input: ToolInput | undefined): string => (input && "text" in input ? input.text : "");

const keyOfCall = (call: PlayedCall, hasIds: boolean): string =>
  hasIds
    ? `${call.sessionId} ${call.toolUseId ?? ""}`
    : likeness(call.sessionId, call.context.tool, textOf(call.context.input));

const keyOfProof = ({ sessionId, toolUseId, tool, input }: Proof, hasIds: boolean): string =>
  hasIds ? `${sessionId} ${toolUseId}` : likeness(sessionId, tool, input);

const CLAIMS: ReadonlySet<string> = new Set(["completed", "failed", "denied"]);

export function score(recording: Recording, calls: readonly PlayedCall[], { hasIds, asks }: Way): Score {
  const proofs = prove(recording, "all");
  const left = new Map<string, PlayedCall[]>();
  for (const call of calls) {
    const key = keyOfCall(call, hasIds);
    left.set(key, [...(left.get(key) ?? []), call]);
  }
  /** The call that a proof is held against: alike ones are given out as well as they fit. */
  const take = (proof: Proof, fits: (call: PlayedCall) => boolean): PlayedCall | undefined => {
    const alike = left.get(keyOfProof(proof, hasIds)) ?? [];
    const found = alike.find(fits);
    if (found) alike.splice(alike.indexOf(found), 1);
    return found;
  };
  const exact = proofs.flatMap((proof) => {
    const call =
      take(proof, ({ execution, cause }) => execution === proof.execution && cause === proof.cause) ??
      take(proof, ({ execution }) => execution === proof.execution);
    return call ? [{ proof, call }] : [];
  });
  for (const proof of proofs.filter((each) => !exact.some(({ proof: known }) => known === each)))
    take(proof, ({ execution }) => !CLAIMS.has(execution));
  const rest = [...left.values()].flat();
  // A result that found no call says so itself (`pre: missing`): the client had rewritten the input.
  const wrong = rest.filter(
    ({ execution, context }) => CLAIMS.has(execution) && (hasIds || context.match.pre !== "missing"),
  );
  return {
    calls: proofs.length,
    wrong: wrong.length,
    exact: exact.length,
    causes: proofs.filter(({ cause }) => cause !== undefined).length,
    causesKnown: exact.filter(({ proof, call }) => proof.cause !== undefined && call.cause === proof.cause)
      .length,
    ...(asks ? asked(recording, calls, proofs, hasIds) : { approvals: 0, approvalsRight: 0 }),
  };
}

/** How many approvals that hooks requested are at the call that they are proven to be about. */
function asked(
  recording: Recording,
  calls: readonly PlayedCall[],
  proofs: readonly Proof[],
  hasIds: boolean,
): Pick<Score, "approvals" | "approvalsRight"> {
  const bound = calls
    .filter(({ context }) => context.approval !== undefined)
    .map((call) => keyOfCall(call, hasIds));
  const proven = proveApprovals(recording).flatMap(({ channel, toolUseId }) => {
    const proof = proofs.find((each) => each.toolUseId === toolUseId);
    return channel === "hook" && proof ? [keyOfProof(proof, hasIds)] : [];
  });
  const right = proven.filter((key) => {
    const place = bound.indexOf(key);
    if (place >= 0) bound.splice(place, 1);
    return place >= 0;
  });
  return { approvals: proven.length, approvalsRight: right.length };
}
