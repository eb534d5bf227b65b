// Judge
// What ran and what the engine shows, against the driver's own book.
//
//   Owns:          what counts as a violation.
//   Does not own:  what may have let a call run (causes), what the driver did (book).
//
// The engine's word proves nothing for the engine: its views and its export are only held against the book.
//
// CHAOS-JUDGE-1. A call runs once, on a cause in the book, and the export has it as approved here.
// CHAOS-JUDGE-2. Nothing is decided, and no gate says anything, but what the driver answered or a rule of its own says;
//     no rule answers more often than it may.
// CHAOS-JUDGE-3. What was accepted is there from then on, and is what the gate says wherever it was left alone.
// CHAOS-JUDGE-4. One answer counts, and what is over stays as it is.
// CHAOS-JUDGE-5. What was asked stands in the export, once, as it was asked, and is over. Nobody whose gate lives is
//     taken to be gone.

import { isDeepStrictEqual } from "node:util";
import type { Call, Ran, Rule } from "./book.ts";
import {
  acceptedAt,
  type Cause,
  causeOf,
  fateOf,
  firstSentAt,
  hashOf,
  isGiven,
  isOurDenial,
} from "./causes.ts";
import type { Shown } from "./shown.ts";

export const VIOLATIONS = {
  cause: "calls that ran without an answer or rule",
  given: "decisions that neither the driver nor a rule gave",
  arrived: "accepted answers that a view or a gate did not show",
  changed: "approvals whose answer changed",
  lost: "approvals lost, doubled or never settled",
} as const;
export type Violation = keyof typeof VIOLATIONS;

export interface Found {
  readonly what: Violation;
  readonly mark: string;
  readonly why: string;
}

/** What the judge is given. Only `shown` is the engine's word. */
export interface Evidence {
  readonly calls: readonly Call[];
  readonly rules: readonly Rule[];
  readonly shown: readonly Shown[];
  /** What was made in the real client's project, and by no call of the book. */
  readonly strays: readonly string[];
}

export interface Judged {
  readonly found: readonly Found[];
  readonly allowed: { readonly byPerson: number; readonly byRule: number };
  /** From the engine's return, or the committed answer where that came later, to the gate's word, ms. */
  readonly releases: readonly number[];
}

interface Case {
  readonly call: Call;
  readonly rules: readonly Rule[];
  /** In the order in which it was read. */
  readonly shown: readonly Shown[];
  /** The export's. */
  readonly last: Shown | undefined;
}

export function judge({ calls, rules, shown, strays }: Evidence): Judged {
  const cases = calls.map((call): Case => {
    const own = shown.filter(({ mark }) => mark === call.mark).toSorted((a, b) => a.readAt - b.readAt);
    return { call, rules, shown: own, last: own.findLast(({ from }) => from === "export") };
  });
  const causes = calls
    .flatMap((call) => call.runs.map((ran) => causeOf(ran, call, rules)))
    .filter((cause) => cause !== undefined);
  return {
    found: [
      ...cases.flatMap(judgeOne),
      ...strays.map((mark): Found => ({ what: "cause", mark, why: "it ran, and nobody asked about it" })),
      ...unasked(calls, shown),
      ...overused(rules, causes, shown),
    ],
    allowed: {
      byPerson: causes.filter((cause) => "person" in cause).length,
      byRule: causes.filter((cause) => "rule" in cause).length,
    },
    releases: cases.flatMap(releaseOf),
  };
}

function judgeOne(each: Case): readonly Found[] {
  const found = (what: Violation, whys: readonly string[]): readonly Found[] =>
    [...new Set(whys)].map((why) => ({ what, mark: each.call.mark, why }));
  return [
    ...found("cause", uncaused(each)),
    ...found("given", notGiven(each)),
    ...found("arrived", notArrived(each)),
    ...found("changed", changed(each)),
    ...found("lost", lost(each)),
  ];
}

/** CHAOS-JUDGE-1. */
function uncaused({ call, rules, last }: Case): readonly string[] {
  const isOnRecord = last?.state === "approved" && !last.isObserved;
  const whys = call.runs.flatMap((ran) => {
    if (!causeOf(ran, call, rules)) return [`it ran, and ${answeredBy(ran, call)}`];
    return isOnRecord ? [] : [`it ran, and is ${last?.state ?? "unknown"}`];
  });
  return call.runs.length > 1 ? [...whys, `it ran ${call.runs.length} times`] : whys;
}

function answeredBy({ at }: Ran, { answers }: Call): string {
  const all = answers.map(
    (each) => `${each.verdict} (${fateOf(each)}${firstSentAt(each) > at ? ", sent later" : ""})`,
  );
  return `the driver had answered ${all.join(", ") || "nothing"}`;
}

const isDecided = ({ state, isObserved }: Shown): boolean =>
  (state === "approved" || state === "denied") && !isObserved;

/** CHAOS-JUDGE-2. */
function notGiven({ call, rules, shown }: Case): readonly string[] {
  const { answers, said, message = "" } = call;
  const shownWhys = shown.flatMap((each) => {
    const { state, by = "nobody", others } = each;
    const late = others.filter(
      (other) => !answers.some((own) => own.by === other.by && own.verdict === other.verdict),
    );
    return [
      ...(isDecided(each) && !isGiven(each, call, rules) ? [`it is ${state} by ${by}`] : []),
      ...late.map((other) => `${other.by} was too late to ${other.verdict} it`),
    ];
  });
  const isSpoken = said === "deny" && !isClosed(message);
  const isForeign = isSpoken && !isOurDenial(message, call, rules);
  return isForeign ? [...shownWhys, `its gate said: ${message}`] : shownWhys;
}

/** The gate denied by itself. */
export const isClosed = (message: string | undefined): boolean =>
  message?.startsWith("Signalbox gave no answer") === true;

/** CHAOS-JUDGE-3. */
function notArrived({ call, shown, last }: Case): readonly string[] {
  const { answers, isHarmed, said, message } = call;
  const whys = answers.flatMap((each) => {
    const since = acceptedAt(each) ?? Infinity;
    const wanted = each.verdict === "approve" ? "approved" : "denied";
    return shown
      .filter((one) => one.askedAt >= since && !(isDecided(one) && one.state === wanted))
      .map(({ state, from }) => `${each.verdict} was accepted, and the ${from} says ${state}`);
  });
  const word = said === "allow" ? "approved" : said === "deny" && !isClosed(message) ? "denied" : undefined;
  const state = last && isDecided(last) ? last.state : undefined;
  const isTold = word === undefined ? state === undefined || isHarmed || lapsed(call) : word === state;
  if (isTold) return whys;
  return [
    ...whys,
    `it is ${last?.state ?? "unknown"}, and its gate said ${said ?? "nothing"}: ${message ?? "-"}`,
  ];
}

/** A gate that reached no engine closes honestly, if nothing had been accepted by then. */
function lapsed({ message, endedAt = Infinity, answers }: Call): boolean {
  const isUnheard = message?.includes("no engine took the approval in time") === true;
  return isClosed(message) && isUnheard && answers.every((each) => (acceptedAt(each) ?? Infinity) > endedAt);
}

/** CHAOS-JUDGE-4. */
function changed({ call, shown }: Case): readonly string[] {
  const accepted = call.answers.filter((each) => acceptedAt(each) !== undefined);
  const twice = accepted.length > 1 ? ["two answers were accepted"] : [];
  const over = shown.find(({ state }) => state !== "pending");
  if (!over) return twice;
  const late = accepted.filter((each) => firstSentAt(each) >= over.readAt);
  const others = shown.filter((each) => each.askedAt >= over.readAt && !isSame(over, each));
  return [
    ...twice,
    ...late.map(({ verdict }) => `${verdict} was accepted after it was ${over.state}`),
    ...others.map(
      ({ state, by }) => `it was ${over.state} by ${over.by ?? "-"}, and is ${state} by ${by ?? "-"}`,
    ),
  ];
}

/** Of what was withdrawn or expired, more may be known later. */
function isSame(over: Shown, later: Shown): boolean {
  if (over.state !== later.state) return false;
  if (!isDecided(over)) return true;
  const facts = ({ by, message, updatedInput }: Shown): object => ({ by, message, updatedInput });
  return isDeepStrictEqual(facts(over), facts(later));
}

/** CHAOS-JUDGE-5. */
function lost({ call, shown, last }: Case): readonly string[] {
  const { input, session, isHarmed, message } = call;
  const others = shown.filter(
    (each) =>
      !isDeepStrictEqual(each.input, input) || each.inputHash !== hashOf(input) || each.session !== session,
  );
  return [
    ...(new Set(shown.map(({ id }) => id)).size > 1 ? ["it is there twice"] : []),
    ...others.map(({ from }) => `the ${from} has another input or session`),
    ...(last?.state === "pending" ? ["it is pending for ever"] : []),
    ...(!last && !isHarmed ? ["nothing is known of it"] : []),
    ...(!isHarmed && message?.includes("the approval is withdrawn") === true
      ? ["it was withdrawn while its gate was there"]
      : []),
  ];
}

/** CHAOS-JUDGE-2. */
function unasked(calls: readonly Call[], shown: readonly Shown[]): readonly Found[] {
  const marks = new Set(calls.map(({ mark }) => mark));
  return shown
    .filter(({ from, mark }) => from === "export" && !marks.has(mark))
    .map(({ id }) => ({ what: "given", mark: id, why: "no call asked for this approval" }));
}

/** CHAOS-JUDGE-2. By the runs that nothing else caused, and by the export. */
function overused(
  rules: readonly Rule[],
  causes: readonly Cause[],
  shown: readonly Shown[],
): readonly Found[] {
  return rules.flatMap(({ id, uses = Infinity }): readonly Found[] => {
    const caused = causes.filter((cause) => "rule" in cause && cause.rule.id === id).length;
    const told = shown.filter(({ from, by }) => from === "export" && by === `rule:${id}`).length;
    const used = Math.max(caused, told);
    if (used <= uses) return [];
    return [{ what: "given", mark: id, why: `it answered ${used} times, and may ${uses}` }];
  });
}

function releaseOf({ call, last }: Case): readonly number[] {
  const { backAt, endedAt, answers, isHarmed } = call;
  const isAccepted = answers.some((each) => acceptedAt(each) !== undefined);
  if (isHarmed || !isAccepted || backAt === undefined || endedAt === undefined) return [];
  if (last?.closedAt === undefined || endedAt < backAt) return [];
  return [Math.max(0, Math.round(endedAt - Math.max(backAt, last.closedAt)))];
}
