// Judge
// What the gates printed, against what an export of the engine says was decided.
//
//   Owns:          what counts as a violation.
//   Does not own:  the engine's reasons: it compares inputs and words, and recomputes nothing that the engine computed.
//
// CHAOS-JUDGE-1. A call runs only on a decision that the export has, made here, about this very input.
// CHAOS-JUDGE-2. What was asked stands in the export, and is over. Nobody whose gate lives is taken to be gone.
// CHAOS-JUDGE-3. An answer that counts is what the gate said, wherever the gate was left alone.

import { isDeepStrictEqual } from "node:util";
import { at, textAt } from "../support/engine/json.ts";
import { jsonLines } from "../support/processes/program.ts";
import { messageOf } from "./answers.ts";
import type { Call } from "./gates.ts";

export type Violation = "ran without a committed cause" | "approval lost" | "answer never arrived";
export interface Found {
  readonly what: Violation;
  readonly mark: string;
  readonly why: string;
}

export interface Judged {
  readonly found: readonly Found[];
  /** From the engine's return, or the committed answer where that came later, to the gate's word, ms. */
  readonly releases: readonly number[];
}

export function judge(calls: readonly Call[], exported: string): Judged {
  const approvals = jsonLines(exported).filter((line) => textAt(line, "kind") === "approval");
  const byMark = new Map<string, unknown>();
  for (const each of approvals) byMark.set(markIn(each), each);
  return {
    found: calls.flatMap((call) => judgeOne(call, byMark.get(call.mark))),
    releases: calls.flatMap((call) => releaseOf(call, byMark.get(call.mark))),
  };
}

function releaseOf({ backAt, endedAt, accepted, isHarmed }: Call, approval: unknown): readonly number[] {
  const closedAt = at(approval, "closedAt");
  if (isHarmed || !accepted || backAt === undefined || endedAt === undefined || typeof closedAt !== "number")
    return [];
  return endedAt < backAt ? [] : [Math.max(0, endedAt - Math.max(backAt, closedAt))];
}

/** A played client's calls carry it as a description, a real one's as well. */
const markIn = (approval: unknown): string => textAt(approval, "input", "description") ?? "";

function judgeOne(call: Call, approval: unknown): readonly Found[] {
  const { mark, said, isHarmed, accepted, message } = call;
  const state = textAt(approval, "state") ?? "unknown";
  const found = (what: Violation, why: string): Found => ({ what, mark, why });
  const isOurs = at(approval, "observed") !== true && isDeepStrictEqual(at(approval, "input"), call.input);
  const violations: Found[] = [];
  if (said === "allow" && !(state === "approved" && isOurs))
    violations.push(found("ran without a committed cause", `it is ${state}`));
  if (accepted && state !== (accepted === "approve" ? "approved" : "denied"))
    violations.push(found("answer never arrived", `it was accepted as ${accepted}, and is ${state}`));
  if (state === "pending") violations.push(found("approval lost", "it is pending for ever"));
  if (isHarmed) return violations;
  if (state === "unknown") violations.push(found("approval lost", "nothing is known of it"));
  if (message?.includes("the approval is withdrawn") === true)
    violations.push(found("approval lost", "it was withdrawn while its gate was there"));
  const isTold = state === "approved" ? said === "allow" : said === "deny" && message === messageOf(call);
  if ((state === "approved" || state === "denied") && !isTold)
    violations.push(
      found("answer never arrived", `it is ${state}; the gate said ${String(said)}: ${message ?? "-"}`),
    );
  return violations;
}
