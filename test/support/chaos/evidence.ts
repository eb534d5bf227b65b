// Evidence
// A call, the driver's answers to it and the engine's word about it, for the judge of the chaos.
//
//   Owns:          one call that was approved and ran, and whatever else is wanted of it.
//   Does not own:  what the judge finds.

import type { Answer, Call, Fate, Rule, Verdict } from "../../chaos/book.ts";
import { hashOf } from "../../chaos/causes.ts";
import { judge, type Violation } from "../../chaos/judge.ts";
import type { Shown } from "../../chaos/shown.ts";

/** The gate speaks after the answer, and the export comes last. */
export const TIMES = {
  sent: 1_000,
  closed: 1_010,
  replied: 1_020,
  spoke: 1_030,
  viewed: 1_040,
  exported: 9_000,
};

export const DRIVER = "local:desk";

/** One sending for each fate. */
export function answered(
  call: Call,
  verdict: Verdict,
  fates: readonly Fate[],
  more: Partial<Answer> = {},
): Answer {
  return {
    approvalId: `a-${call.mark}`,
    inputHash: hashOf(call.input),
    verdict,
    way: "HTTP",
    by: DRIVER,
    ...(verdict === "deny" && { message: `not ${call.mark}` }),
    tries: fates.map((fate) => ({ sentAt: TIMES.sent, endedAt: TIMES.replied, fate })),
    ...more,
  };
}

/** Nobody answered, and the gate closed. */
export function asked(mark: string, more: Partial<Call> = {}): Call {
  return {
    mark,
    session: "c1",
    tool: "Bash",
    input: { command: "make deploy", description: mark },
    answers: [],
    runs: [],
    isHarmed: false,
    said: "deny",
    message: "Signalbox gave no answer: the approval is expired.",
    endedAt: TIMES.spoke,
    backAt: undefined,
    ...more,
  };
}

/** The same call, run by its gate's word. */
export const ran = (call: Call, input: object = call.input, at = TIMES.spoke): Call => ({
  ...call,
  said: "allow",
  message: undefined,
  runs: [{ at, input }],
});

/** The same call, denied by its gate with these words. */
export const denied = (call: Call, message = `not ${call.mark}`): Call => ({
  ...call,
  said: "deny",
  message,
  runs: [],
});

/** As the export has it at the end. */
export function exported(call: Call, state: string, more: Partial<Shown> = {}): Shown {
  const isDecided = state === "approved" || state === "denied";
  return {
    from: "export",
    askedAt: TIMES.exported,
    readAt: TIMES.exported + 1,
    id: `a-${call.mark}`,
    mark: call.mark,
    session: call.session,
    state,
    input: call.input,
    inputHash: hashOf(call.input),
    by: isDecided ? DRIVER : undefined,
    message: state === "denied" ? `not ${call.mark}` : undefined,
    updatedInput: undefined,
    closedAt: state === "pending" ? undefined : TIMES.closed,
    isObserved: false,
    lapsedSaid: undefined,
    others: [],
    ...more,
  };
}

/** As a view had it while the chaos went on. */
export const viewed = (call: Call, state: string, at = TIMES.viewed, more: Partial<Shown> = {}): Shown =>
  exported(call, state, { from: "view", askedAt: at, readAt: at + 1, ...more });

/** The kinds of violations in all this, each once, in the order of their names. */
export function foundIn(
  calls: readonly Call[],
  shown: readonly Shown[],
  rules: readonly Rule[] = [],
): readonly Violation[] {
  const { found } = judge({ calls, rules, shown, strays: [] });
  return [...new Set(found.map(({ what }) => what))].toSorted();
}
