// Chaos
// The judge of `npm run chaos:gate` finds what it is there to find, whatever the engine says of itself.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fateOfCommand, fateOfReply } from "../chaos/answers.ts";
import { type Fate, now, type Rule } from "../chaos/book.ts";
import { fateOf, hashOf } from "../chaos/causes.ts";
import { Chance } from "../chaos/chance.ts";
import { judge } from "../chaos/judge.ts";
import { PLACE } from "../chaos/liar.ts";
import { tell } from "../chaos/world.ts";
import { planted } from "../planted/bug.ts";
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

const CALL = asked("c1-1-1");
const approve = (...fates: readonly Fate[]) => answered(CALL, "approve", fates);
const deny = (...fates: readonly Fate[]) => answered(CALL, "deny", fates);
const APPROVED = ran({ ...CALL, answers: [approve("accepted")] });
const DENIED = denied({ ...CALL, answers: [deny("accepted")] });

describe("the judge of the chaos", () => {
  it("CHAOS-JUDGE-1: a call runs on an approve in the book; that the engine approved it is no cause", () => {
    expect(foundIn([APPROVED], [exported(CALL, "approved")])).toEqual([]);
    for (const answers of [[], [approve("unsent")], [approve("refused")], [deny("accepted")], [deny("lost")]])
      expect(foundIn([ran({ ...CALL, answers })], [exported(CALL, "approved")])).toContain("cause");
  });

  it("CHAOS-JUDGE-1: a run needs its record, is one, and is no file that nobody asked about", () => {
    for (const state of ["withdrawn", "expired", "pending", "denied"])
      expect(foundIn([APPROVED], [exported(CALL, state)])).toContain("cause");
    expect(foundIn([APPROVED], [])).toContain("cause");
    expect(foundIn([APPROVED], [exported(CALL, "approved", { isObserved: true })])).toContain("cause");
    expect(foundIn([{ ...APPROVED, isHarmed: true }], [exported(CALL, "expired")])).toContain("cause");
    const twice = { ...APPROVED, runs: [...APPROVED.runs, ...APPROVED.runs] };
    expect(foundIn([twice], [exported(CALL, "approved")])).toEqual(["cause"]);
    const { found } = judge({ calls: [], rules: [], shown: [], strays: ["c1-9-9"] });
    expect(found.map(({ what, mark }) => [what, mark])).toEqual([["cause", "c1-9-9"]]);
  });

  it("CHAOS-JUDGE-2: a denial whose reply was lost, recorded as approved, is a decision that nobody gave", () => {
    const lost = { ...CALL, answers: [deny("lost")] };
    expect(foundIn([denied(lost)], [exported(CALL, "denied")])).toEqual([]);
    expect(foundIn([lost], [exported(CALL, "expired")])).toEqual([]);
    expect(foundIn([ran(lost)], [exported(CALL, "approved")])).toEqual(["cause", "given"]);
    expect(foundIn([{ ...lost, isHarmed: true }], [exported(CALL, "approved")])).toEqual(["given"]);
  });

  it("CHAOS-JUDGE-2: a decision in another's name, in other words, before it was sent, or for no call is nobody's", () => {
    for (const more of [
      { by: "local:another" },
      { message: "not another" },
      { closedAt: TIMES.sent - 1 },
      { id: "a-another" },
      { updatedInput: { command: "rm" } },
    ])
      expect(foundIn([DENIED], [exported(CALL, "denied", more)])).toContain("given");
    expect(foundIn([], [exported(CALL, "expired")])).toEqual(["given"]);
    const late = [{ by: DRIVER, verdict: "approve" }];
    expect(foundIn([DENIED], [exported(CALL, "denied", { others: late })])).toEqual(["given"]);
    const said = denied(CALL, "No.");
    expect(foundIn([said], [exported(CALL, "expired")])).toContain("given");
  });

  it("CHAOS-JUDGE-2: what a rule allows is counted apart, and no more often than it may", () => {
    const rule = ruleOf("allow", { uses: 1 });
    const [one, other] = [ran(ruled("c1-1-1")), ran(ruled("c1-1-2"))];
    const by = { by: "rule:r_1" };
    const shown = [exported(one, "approved", by), exported(other, "approved", by)];
    const judged = judge({ calls: [one], rules: [rule], shown: shown.slice(0, 1), strays: [] });
    expect(judged).toMatchObject({ found: [], allowed: { byPerson: 0, byRule: 1 } });
    expect(foundIn([one, other], shown, [rule])).toEqual(["given"]);
    expect(foundIn([one], shown.slice(0, 1), [])).toEqual(["cause", "given"]);
  });

  it("CHAOS-JUDGE-3: an answer that was accepted is there at once, and is what the gate says", () => {
    expect(foundIn([DENIED], [viewed(CALL, "denied"), exported(CALL, "denied")])).toEqual([]);
    expect(foundIn([DENIED], [viewed(CALL, "pending"), exported(CALL, "denied")])).toEqual(["arrived"]);
    expect(foundIn([{ ...CALL, answers: DENIED.answers }], [exported(CALL, "denied")])).toEqual(["arrived"]);
    expect(foundIn([{ ...CALL, answers: DENIED.answers }], [exported(CALL, "expired")])).toEqual(["arrived"]);
    expect(foundIn([{ ...CALL, answers: APPROVED.answers }], [exported(CALL, "approved")])).toEqual([
      "arrived",
    ]);
    const harmed = { ...CALL, said: "nothing", message: undefined, isHarmed: true } as const;
    expect(foundIn([{ ...harmed, answers: APPROVED.answers }], [exported(CALL, "approved")])).toEqual([]);
  });

  it("CHAOS-JUDGE-3: a gate that no engine heard in time closes honestly, unless an answer was accepted before", () => {
    const message = "Signalbox gave no answer: no engine took the approval in time.";
    const unheard = (endedAt: number) => ({ ...CALL, message, endedAt, answers: [approve("accepted")] });
    expect(foundIn([unheard(TIMES.replied - 1)], [exported(CALL, "approved")])).toEqual([]);
    expect(foundIn([unheard(TIMES.replied + 1)], [exported(CALL, "approved")])).toEqual(["arrived"]);
  });

  it("CHAOS-JUDGE-3: a release is counted from the engine's return, or from the answer where that came later", () => {
    const releases = (backAt: number): readonly number[] =>
      judge({
        calls: [{ ...APPROVED, backAt }],
        rules: [],
        shown: [exported(CALL, "approved")],
        strays: [],
      }).releases;
    const { closed, spoke } = TIMES;
    expect([releases(spoke - 5), releases(closed - 5), releases(spoke + 5)]).toEqual([
      [5],
      [spoke - closed],
      [],
    ]);
  });

  it("CHAOS-JUDGE-4: two answers that were accepted, one after the end, and an end that changes are found", () => {
    const both = { ...APPROVED, answers: [approve("accepted"), deny("accepted")] };
    expect(foundIn([both], [exported(CALL, "approved")])).toContain("changed");
    const refused = { ...APPROVED, answers: [approve("accepted"), deny("refused")] };
    expect(foundIn([refused], [exported(CALL, "approved")])).toEqual([]);
    const before = viewed(CALL, "expired", TIMES.sent - 100);
    expect(foundIn([APPROVED], [before, exported(CALL, "approved")])).toContain("changed");
    expect(foundIn([CALL], [before, exported(CALL, "withdrawn")])).toEqual(["changed"]);
    const other = exported(CALL, "denied", { message: "not another" });
    expect(foundIn([DENIED], [viewed(CALL, "denied"), other])).toEqual(["changed", "given"]);
  });

  it("CHAOS-JUDGE-5: an approval that nobody knows, that waits for ever, is there twice or as another, or was taken from a gate that was there, is lost", () => {
    expect(foundIn([CALL], [exported(CALL, "expired")])).toEqual([]);
    expect(foundIn([CALL], [])).toEqual(["lost"]);
    expect(foundIn([{ ...CALL, isHarmed: true }], [])).toEqual([]);
    expect(foundIn([{ ...CALL, isHarmed: true }], [exported(CALL, "pending")])).toEqual(["lost"]);
    for (const more of [
      { session: "c2" },
      { input: { ...CALL.input, command: "rm -r /" } },
      { inputHash: hashOf({ command: "rm -r /" }) },
    ])
      expect(foundIn([CALL], [exported(CALL, "expired", more)])).toEqual(["lost"]);
    const twice = [exported(CALL, "expired"), exported(CALL, "expired", { id: "a-another" })];
    expect(foundIn([CALL], twice)).toEqual(["lost"]);
    const taken = { ...CALL, message: "Signalbox gave no answer: the approval is withdrawn." };
    expect(foundIn([taken], [exported(CALL, "withdrawn")])).toEqual(["lost"]);
    expect(foundIn([{ ...taken, isHarmed: true }], [exported(CALL, "withdrawn")])).toEqual([]);
  });
});

describe("causes", () => {
  it("CAUSES-1: an approve sent after the run, of another input, or for another edit is no cause", () => {
    const edited = { ...CALL.input, command: "make check" };
    const sent = (answer: object, input?: object, at?: number) =>
      foundIn(
        [ran({ ...CALL, answers: [{ ...approve("accepted"), ...answer }] }, input, at)],
        [exported(CALL, "approved", answer)],
      );
    expect(sent({})).toEqual([]);
    expect(sent({ updatedInput: edited }, edited)).toEqual([]);
    expect(sent({ updatedInput: edited })).toContain("cause");
    expect(sent({}, edited)).toContain("cause");
    expect(sent({}, CALL.input, TIMES.sent - 1)).toContain("cause");
    expect(sent({ inputHash: hashOf(edited) })).toContain("cause");
  });

  it("CAUSES-1: only a rule of the driver's own, that holds the input and was made before, is a cause", () => {
    const call = ran(ruled("c1-1-1"));
    const shown = [exported(call, "approved", { by: "rule:r_1" })];
    expect(foundIn([call], shown, [ruleOf("allow")])).toEqual([]);
    for (const more of [
      { id: "r_2", words: ["make", "test"] },
      { words: ["make", "test"] },
      { session: "c2" },
      { sentAt: TIMES.spoke + 1 },
    ])
      expect(foundIn([call], shown, [ruleOf("allow", more)])).toEqual(["cause", "given"]);
    expect(foundIn([call], shown, [ruleOf("deny")])).toContain("cause");
    const said = denied(call, "Denied by rule r_1, made by local:desk.");
    expect(
      foundIn([said], [exported(call, "denied", { by: "rule:r_1", message: undefined })], [ruleOf("deny")]),
    ).toEqual([]);
    const overruled = { ...call, answers: [answered(call, "deny", ["accepted"])] };
    expect(foundIn([overruled], shown, [ruleOf("allow")])).toContain("cause");
  });

  it("CAUSES-2: a lost reply means nothing once another answer was accepted", () => {
    const answers = [approve("lost"), deny("accepted")];
    expect(foundIn([denied({ ...CALL, answers })], [exported(CALL, "denied")])).toEqual([]);
    expect(foundIn([ran({ ...CALL, answers })], [exported(CALL, "approved")])).toContain("cause");
    expect(foundIn([ran({ ...CALL, answers: [approve("lost")] })], [exported(CALL, "approved")])).toEqual([]);
  });

  it("CAUSES-3: lost, then refused, is a refusal with a key, and may have counted without one", () => {
    const fates = (way: "HTTP" | "CLI" | "NATS", ...each: readonly Fate[]) =>
      fateOf({ ...approve(...each), way });
    expect(fates("HTTP", "lost", "refused")).toBe("refused");
    expect(fates("NATS", "lost", "refused")).toBe("refused");
    expect(fates("CLI", "lost", "refused")).toBe("lost");
    expect(fates("CLI", "refused")).toBe("refused");
    expect(fates("CLI", "unsent", "lost", "accepted")).toBe("accepted");
    expect([fates("HTTP", "unsent"), fates("HTTP", "unsent", "lost")]).toEqual(["unsent", "lost"]);
  });
});

describe("the driver of the chaos", () => {
  it("CHAOS-ANSWERS-1: only the engine's word about the decision is a reply", () => {
    const refusal = (code: string) => ({ status: 409, body: { error: { code } }, isUnsent: false });
    expect(fateOfReply({ status: 200, body: { result: "accepted" }, isUnsent: false })).toBe("accepted");
    expect(["NOT_COUNTED", "UNKNOWN_APPROVAL"].map((code) => fateOfReply(refusal(code)))).toEqual([
      "refused",
      "refused",
    ]);
    expect(["KEY_REUSED", "NOT_READY"].map((code) => fateOfReply(refusal(code)))).toEqual(["lost", "lost"]);
    expect(fateOfReply({ status: 200, body: {}, isUnsent: false })).toBe("lost");
    expect(fateOfReply({ status: 0, body: undefined, isUnsent: true })).toBe("unsent");
    expect(fateOfCommand({ code: 0, err: "" })).toBe("accepted");
    expect(fateOfCommand({ code: 1, err: "The decision does not count: it is already approved." })).toBe(
      "refused",
    );
    expect(fateOfCommand({ code: 1, err: "There is no engine." })).toBe("lost");
  });

  it("BOOK-1: times of the book rise", () => {
    const times = Array.from({ length: 1_000 }, now);
    expect(times.every((at, n) => n === 0 || at > (times[n - 1] ?? at))).toBe(true);
  });

  it("CHAOS-WORLD-1: no process is struck that cannot have been started here; a seed repeats its choices", () => {
    expect([0, 1, -1, Number.NaN].map((pid) => tell(pid, "SIGCONT"))).toEqual([false, false, false, false]);
    const choices = (seed: number): readonly number[] => {
      const chance = new Chance(seed);
      return Array.from({ length: 20 }, () => chance.between(1, 4));
    };
    expect(choices(7)).toEqual(choices(7));
    expect(new Set(choices(7))).toEqual(new Set([1, 2, 3, 4]));
  });

  it("LIAR-1: the place where a lie is put into the engine is there, once", () => {
    const text = readFileSync(join(import.meta.dirname, "..", "..", PLACE.file), "utf8");
    expect(planted(text, { ...PLACE, put: "lie();" })).toContain("lie();");
  });
});

/** A call that rules are about. */
const ruled = (mark: string) => asked(mark, { input: { command: "make deploy", description: mark } });

const ruleOf = (effect: Rule["effect"], more: Partial<Rule> = {}): Rule => ({
  id: "r_1",
  effect,
  words: ["make", "deploy"],
  session: "c1",
  sentAt: TIMES.sent,
  ...more,
});
