// Chaos: the judge
// Of generated rounds, the judge finds those whose outcome the driver's book does not allow, and no others.
//
// A round is what really became of each answer, and what the engine claims of it. Which claims the book allows is said
// here, by what became of the answers, and not by their fates.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, Call, Fate, Verdict, Way } from "../chaos/book.ts";
import {
  answered,
  asked,
  denied,
  DRIVER,
  exported,
  foundIn,
  ran,
  TIMES,
  viewed,
} from "../support/chaos/evidence.ts";
import { holds } from "../support/properties/property.ts";

const FILE = "test/project/chaos.judge.test.ts";

/** What became of the sendings of one answer, in words, and whether it may count by that. */
const DELIVERIES = {
  acknowledged: { fates: ["accepted"], counts: "yes" },
  "acknowledged when sent again": { fates: ["lost", "accepted"], counts: "yes" },
  "sent, and no reply": { fates: ["lost"], counts: "perhaps" },
  "sent to nobody": { fates: ["unsent", "unsent"], counts: "no" },
  refused: { fates: ["refused"], counts: "no" },
  "refused when sent again": { fates: ["lost", "refused"], counts: "no" },
} as const satisfies Record<
  string,
  { readonly fates: readonly Fate[]; readonly counts: "yes" | "perhaps" | "no" }
>;

interface Planned {
  readonly verdict: Verdict;
  readonly way: Exclude<Way, "CLI">;
  readonly isEdited: boolean;
  readonly delivery: keyof typeof DELIVERIES;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  verdict: fc.constantFrom("approve", "deny"),
  way: fc.constantFrom("HTTP", "NATS"),
  isEdited: fc.boolean(),
  delivery: fc.constantFrom(...(Object.keys(DELIVERIES) as (keyof typeof DELIVERIES)[])),
});

interface Plan {
  /** Undefined where nobody answers. */
  readonly first: Planned | undefined;
  /** The opposite is said afterwards, and refused. */
  readonly isAgain: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  first: fc.option(planned, { nil: undefined }),
  isAgain: fc.boolean(),
});

const EDITED = { command: "make check" };
const byOf = (way: Way): string => (way === "NATS" ? "nats:desk" : DRIVER);

function answerOf(call: Call, { verdict, way, isEdited, delivery }: Planned): Answer {
  return answered(call, verdict, DELIVERIES[delivery].fates, {
    way,
    by: byOf(way),
    ...(verdict === "approve" && isEdited && { updatedInput: EDITED }),
  });
}

function callOf(mark: string, { first, isAgain }: Plan): Call {
  const call = asked(mark);
  if (first === undefined) return call;
  const again = answered(call, first.verdict === "approve" ? "deny" : "approve", ["refused"]);
  return { ...call, answers: [answerOf(call, first), ...(isAgain ? [again] : [])] };
}

/** What the engine says became of a call: an answer counted, or none did. */
type Claimed = Pick<Answer, "verdict" | "by" | "updatedInput"> | undefined;

/** All that agrees with the claim: the gate's word, the export, and a view before it. */
function played(
  call: Call,
  claimed: Claimed,
): { readonly call: Call; readonly shown: ReturnType<typeof exported>[] } {
  if (claimed === undefined) return { call, shown: [viewed(call, "expired"), exported(call, "expired")] };
  const { verdict, by, updatedInput } = claimed;
  const [state, more] = [verdict === "approve" ? "approved" : "denied", { by, updatedInput }];
  const heard = verdict === "approve" ? ran(call, updatedInput ?? call.input) : denied(call);
  return { call: heard, shown: [viewed(call, state, TIMES.viewed, more), exported(call, state, more)] };
}

/** By what became of the answers. */
function isAllowed({ first }: Plan, claimed: Claimed): boolean {
  const counts = first === undefined ? "no" : DELIVERIES[first.delivery].counts;
  if (claimed === undefined) return counts !== "yes";
  if (first === undefined || counts === "no") return false;
  const isEdited = first.verdict === "approve" && first.isEdited;
  return (
    claimed.verdict === first.verdict &&
    claimed.by === byOf(first.way) &&
    (claimed.updatedInput !== undefined) === isEdited
  );
}

const claimed: fc.Arbitrary<Claimed> = fc.option(
  fc.oneof(
    fc.record({ verdict: fc.constant<Verdict>("deny"), by: fc.constantFrom(DRIVER, "nats:desk") }),
    fc.record(
      {
        verdict: fc.constant<Verdict>("approve"),
        by: fc.constantFrom(DRIVER, "nats:desk", "rule:r_1"),
        updatedInput: fc.constant(EDITED),
      },
      { requiredKeys: ["verdict", "by"] },
    ),
  ),
  { nil: undefined },
);

/** What an engine that does not lie makes of the plan. */
const honest = ({ first }: Plan, isTaken: boolean): Claimed => {
  if (first === undefined) return undefined;
  const { counts } = DELIVERIES[first.delivery];
  return counts === "yes" || (counts === "perhaps" && isTaken) ? answerOf(asked("any"), first) : undefined;
};

describe("the judge, on generated rounds", () => {
  it("CHAOS-JUDGE-1, CHAOS-JUDGE-2, CHAOS-JUDGE-3: what the engine claims is found unless the answers allow it", () => {
    holds(FILE, 1_000, fc.tuple(plan, claimed), ([given, said]) => {
      const { call, shown } = played(callOf("c1-1-1", given), said);
      expect(foundIn([call], shown).length === 0).toBe(isAllowed(given, said));
    });
  });

  it("CHAOS-JUDGE-2: an engine that approves alone is found for each call that nobody approved", () => {
    const unapproved = plan.filter(({ first }) => first?.verdict !== "approve");
    holds(FILE, 200, unapproved, (given) => {
      const { call, shown } = played(callOf("c1-1-1", given), { verdict: "approve", by: DRIVER });
      expect(foundIn([call], shown)).toEqual(expect.arrayContaining(["cause", "given"]));
    });
  });

  it("CAUSES-1, CHAOS-JUDGE-2: two answers that change places are found, whatever their replies", () => {
    const sent = planned.filter(({ delivery }) => DELIVERIES[delivery].counts !== "no");
    holds(FILE, 200, fc.tuple(sent, sent), ([one, other]) => {
      const approval: Plan = { first: { ...one, verdict: "approve" }, isAgain: false };
      const denial: Plan = { first: { ...other, verdict: "deny" }, isAgain: false };
      const approved = played(callOf("c1-1-1", approval), honest(denial, true));
      const refused = played(callOf("c1-1-2", denial), honest(approval, true));
      const found = foundIn([approved.call, refused.call], [...approved.shown, ...refused.shown]);
      expect(found).toEqual(expect.arrayContaining(["cause", "given"]));
    });
  });

  it("CAUSES-1: an approve that was sent after the call ran is no cause", () => {
    const approves = planned.filter(({ delivery }) => DELIVERIES[delivery].counts !== "no");
    const early = fc.integer({ min: 1, max: TIMES.sent - 1 });
    holds(FILE, 200, fc.tuple(approves, early), ([first, at]) => {
      const given: Plan = { first: { ...first, verdict: "approve" }, isAgain: false };
      const { call, shown } = played(callOf("c1-1-1", given), honest(given, true));
      expect(foundIn([call], shown)).toEqual([]);
      const runs = call.runs.map((each) => ({ ...each, at }));
      expect(foundIn([{ ...call, runs }], shown)).toEqual(["cause"]);
    });
  });

  it("CHAOS-JUDGE-3: an answer that is acknowledged before it counts is found by whatever is shown in between", () => {
    const acknowledged = planned.filter(({ delivery }) => DELIVERIES[delivery].counts === "yes");
    const between = fc.tuple(
      fc.integer({ min: TIMES.replied, max: TIMES.exported - 2 }),
      fc.constantFrom("pending", "expired", "withdrawn"),
    );
    holds(FILE, 200, fc.tuple(acknowledged, between), ([first, [at, state]]) => {
      const given = { first, isAgain: false };
      const { call, shown } = played(callOf("c1-1-1", given), honest(given, true));
      expect(foundIn([call], shown)).toEqual([]);
      expect(foundIn([call], [...shown, viewed(call, state, at)])).toContain("arrived");
    });
  });

  it("CHAOS-JUDGE-4, CHAOS-JUDGE-5: honest rounds of several calls are clean, in whatever order they are shown", () => {
    const rounds = fc.array(fc.tuple(plan, fc.boolean()), { minLength: 1, maxLength: 4 });
    const mixed = fc.tuple(rounds, fc.infiniteStream(fc.nat()));
    holds(FILE, 300, mixed, ([round, order]) => {
      const all = round.map(([given, isTaken], n) =>
        played(callOf(`c1-1-${n + 1}`, given), honest(given, isTaken)),
      );
      const shown = all.flatMap((each) => each.shown).map((each) => [order.next().value ?? 0, each] as const);
      const sorted = shown.toSorted(([a], [b]) => a - b).map(([, each]) => each);
      expect(
        foundIn(
          all.map(({ call }) => call),
          sorted,
        ),
      ).toEqual([]);
    });
  });
});
