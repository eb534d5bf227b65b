// Evidence
// What may be heard of one call after its approval was answered, and what follows from it, restated.
//
//   Owns:          the cases that are tried, the reference for receipts and alarms.
//   Does not own:  the rules under test (machines/evidence).

import fc from "fast-check";
import type { ApprovalId, Input } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";

export const ASKED = toolInput({ command: "make" });
export const EDITED = toolInput({ command: "make -n" });
export const OTHER = toolInput({ command: "make install" });
const INPUTS = { asked: ASKED, edited: EDITED, other: OTHER } as const;
const approvalId = "g1" as ApprovalId;
const named = { toolUseId: "t1", tool: "Bash" };

export interface Case {
  readonly closes: "ask" | "deny";
  readonly answer: "approve" | "approve edited" | "deny" | "deadline";
  readonly evidence: readonly Evidence[];
  /** The call is started on another input than the one that is asked about. */
  readonly startsOther?: boolean;
  /** The question does not name its call. */
  readonly isNameless?: boolean;
}

const EVIDENCE = [
  "taken",
  "alone ask",
  "alone deny",
  "left",
  "ran on asked",
  "ran on edited",
  "ran on other",
  "ran, unseen input",
  "ran, every call gated",
  "did not run",
  "listed as refused",
  "allowed at the terminal",
] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** Of contradicting words of one source a client says one at most. */
const isPossible = (evidence: readonly Evidence[]): boolean => {
  const count = (...which: readonly Evidence[]): number =>
    evidence.filter((each) => which.includes(each)).length;
  return (
    count("alone ask", "alone deny") <= 1 &&
    count("ran on asked", "ran on edited", "ran on other", "ran, every call gated") <= 1 &&
    // A client that says that a call did not run has no result of it.
    (!evidence.some((each) => each.startsWith("ran")) || count("did not run", "listed as refused") === 0)
  );
};

export const cases: fc.Arbitrary<Case> = fc.record({
  closes: fc.constantFrom("ask", "deny"),
  answer: fc.constantFrom("approve", "approve edited", "deny", "deadline"),
  evidence: fc.shuffledSubarray([...EVIDENCE], { maxLength: 6 }).filter(isPossible),
});

/** The beginning of every case: a call that a gate of ours asks about, and the answer. */
export function beginning({ closes, answer, startsOther, isNameless }: Case): readonly Input[] {
  const call = { ...named, input: startsOther ? OTHER : ASKED };
  const asked = {
    type: "approval.requested",
    approvalId,
    call: isNameless ? { tool: named.tool, input: ASKED } : { ...named, input: ASKED },
    channel: "gate",
    onDeadline: closes,
  } as const;
  const decided = { type: "decision", approvalId, by: "local:ann", via: "cli" } as const;
  return [
    { type: "prompt.submitted", promptId: "p1", text: "go" },
    { type: "tool.started", call },
    asked,
    answer === "deadline"
      ? { type: "timer.fired", address: "shop-000000/s1/approval/g1", timer: "deadline", generation: 1 }
      : answer === "deny"
        ? { ...decided, decision: "deny" }
        : {
            ...decided,
            decision: "approve",
            inputHash: ASKED.hash,
            ...(answer === "approve edited" && { updatedInput: EDITED }),
          },
  ];
}

export function inputOf(evidence: Evidence): Input {
  const ran = (input: keyof typeof INPUTS, gated?: "all"): Input => ({
    type: "tool.finished",
    call: { ...named, input: INPUTS[input] },
    output: "done",
    ...(gated && { gated }),
  });
  switch (evidence) {
    case "taken":
      return { type: "approval.taken", approvalId, by: "gate" };
    case "alone ask":
      return { type: "approval.lapsed", approvalId, said: "ask" };
    case "alone deny":
      return { type: "approval.lapsed", approvalId, said: "deny" };
    case "left":
      return { type: "waiter.gone", approvalId };
    case "ran on asked":
      return ran("asked");
    case "ran on edited":
      return ran("edited");
    case "ran on other":
      return ran("other");
    case "ran, unseen input":
      return { type: "tool.finished", call: { toolUseId: "t1" }, output: "done" };
    case "ran, every call gated":
      return ran("asked", "all");
    case "did not run":
      return { type: "tool.denied", call: named, verdict: "hook" };
    case "listed as refused":
      return { type: "tool.batch", calls: [{ ...named, input: ASKED, told: "refusal" }] };
    case "allowed at the terminal":
      return { type: "tool.permission", call: named, decision: "accept", source: "user_temporary" };
  }
}

export interface Expected {
  readonly step: string | undefined;
  readonly alarm: string | undefined;
}

/** What RECEIPT and ALARM say of a case, read off the set of what was heard. */
export function expected({ closes, answer, evidence, startsOther = false }: Case): Expected {
  const has = (...which: readonly Evidence[]): boolean => which.some((each) => evidence.includes(each));
  const ran = evidence.some((each) => each.startsWith("ran"));
  const approved = answer === "approve edited" ? "ran on edited" : "ran on asked";
  const shown = has("ran on asked", "ran, every call gated")
    ? "ran on asked"
    : evidence.find((each) => each.startsWith("ran on"));
  // What was edited runs on something else than it was started on.
  const isOther = shown === undefined ? startsOther && answer === "approve" : shown !== approved;
  return {
    step: stepOf(answer, has, ran, isOther),
    alarm: ran && !has("allowed at the terminal") ? alarmOf(answer, closes, has, isOther) : undefined,
  };
}

type Has = (...which: readonly Evidence[]) => boolean;

function stepOf(answer: Case["answer"], has: Has, ran: boolean, isOther: boolean): string | undefined {
  if (answer === "deadline") return undefined;
  if (has("alone ask", "alone deny", "left") && !has("taken")) return "lapsed";
  const isRefused = has("did not run", "listed as refused");
  if (!ran && !isRefused) return has("taken") ? "taken" : "committed";
  if (answer === "deny") return ran ? "contradicted" : "confirmed";
  return ran && !isOther ? "confirmed" : "contradicted";
}

function alarmOf(
  answer: Case["answer"],
  closes: Case["closes"],
  has: Has,
  isOther: boolean,
): string | undefined {
  if (has("alone ask")) return undefined;
  if (answer === "deny") return "executedAfterDenial denied";
  if (answer === "deadline") return closes === "deny" ? "unapprovedExecution closed" : undefined;
  if (has("alone deny")) return "unapprovedExecution closed";
  return isOther ? "unapprovedExecution other-input" : undefined;
}
