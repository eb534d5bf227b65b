// Rule trial
// A replay says of a history what the engine, with the rules made before it, would have said: with their ends and uses, too.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_GUARDED, type ApprovalId, type RuleTerms, type SessionId } from "../../../machines/index.ts";
import type { UnaskedItem } from "../../../runtime/reading/backtest/tally.ts";
import { approvalPlaces, callPlaces } from "../../../runtime/reading/backtest/places.ts";
import { Reader } from "../../../runtime/reading/reader.ts";
import { ended, type Trial, trialInSlices, type Tried } from "../../../runtime/reading/rule-trial.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { fateOf, ruleFor } from "../../support/rules/ruled.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/reading/rule-trial.test.ts";

const SCOPE = { workspace: WORKSPACE, since: 0, limit: 1_000, guarded: NOTHING_GUARDED };
const tried = (rig: Rig, rules: readonly Tried[], other: object = {}): Promise<Trial> =>
  ended(trialInSlices(new Reader(rig.engine.store), rules, { ...SCOPE, ...other }));

interface Asked {
  readonly command: string;
  readonly afterMs: number;
  readonly answer: "approve" | "deny" | "none";
}

const asked: fc.Arbitrary<Asked> = fc.record({
  command: fc.constantFrom("git status", "git status -s", "npm test", "rm -rf x", "git push"),
  afterMs: fc.constantFrom(0, 0, 10 * MINUTE_MS, 25 * MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 26 * HOUR_MS),
  answer: fc.constantFrom("approve", "deny", "none"),
});

const limits = fc.record(
  {
    uses: fc.integer({ min: 1, max: 4 }),
    perHour: fc.integer({ min: 1, max: 2 }),
    // The history begins on a Friday, at 08:00 UTC.
    hours: fc.constantFrom("Fri 07:00-12:00Z", "Mon-Sun 08:00-09:00Z", "Sat,Sun 22:00-12:00Z"),
    forMs: fc.constantFrom(MINUTE_MS, 2 * HOUR_MS, 2 * DAY_MS),
  },
  { requiredKeys: [] },
);
const terms = fc.constantFrom<RuleTerms>(
  { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } },
  { effect: "allow", tool: "Bash", match: { kind: "prefix", text: "npm test" }, unmarked: true },
  { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" } },
  { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "git" } },
);
const rule: fc.Arbitrary<Tried> = fc.oneof(
  fc.tuple(terms, limits).map(([one, other]) => ({ ...one, ...other })),
  fc.constant<Tried>({ effect: "ask", tool: "Bash", match: { kind: "prefix", text: "git push" } }),
);

/** Each is asked in a session of its own: no answer changes what is asked later. */
const sessionOf = (n: number): string => `s${String(n).padStart(3, "0")}`;
const idOf = (n: number): string => `a${String(n).padStart(3, "0")}`;

async function ask(rig: Rig, n: number, { command }: Pick<Asked, "command">): Promise<void> {
  const its = call(`c${n}`, "Bash", { command });
  const session = sessionOf(n);
  await rig.tell(session, said.prompt(`${session}-p`), said.pre(its), said.ask(idOf(n), its));
}

async function answer(rig: Rig, n: number, { command, answer: decision }: Asked): Promise<void> {
  if (decision === "none") return;
  const inputHash = call("c", "Bash", { command }).input?.hash ?? "";
  await rig.engine.own(WORKSPACE, sessionOf(n) as SessionId, {
    ...{ type: "decision", approvalId: idOf(n) as ApprovalId, decision, inputHash, by: "me" },
  });
  await rig.tell(sessionOf(n), said.sessionEnd());
}

/** Lets all of it be asked in a fresh engine. @param before runs right before the first is asked. */
async function played(
  history: readonly Asked[],
  each: (rig: Rig, n: number, one: Asked) => Promise<void> | void,
  before: (rig: Rig) => Promise<void> = () => Promise.resolve(),
): Promise<Rig> {
  const rig = await Rig.start();
  for (const [n, one] of history.entries()) {
    rig.clock.advance(one.afterMs);
    await rig.quiet();
    if (n === 0) await before(rig);
    await ask(rig, n, one);
    await each(rig, n, one);
  }
  return rig;
}

describe("a trial of rules", () => {
  test("RULE-TRIAL-1, RULES-IN-USE-1: with their uses, hours and ends, a trial says what the rules then do, and again the same", async () => {
    const histories = fc.array(asked, { minLength: 1, maxLength: 16 });
    const sets = fc.array(rule, { minLength: 1, maxLength: 4 });
    await holdsLater(FILE, 40, fc.tuple(histories, sets), async ([history, rules]) => {
      const past = await played(history, answer);
      // Some are removed by now, the others are kept.
      const named = rules.map((one, n) => ({ ...one, id: `n${n}` }));
      const found = await tried(past, named);
      expect(JSON.stringify(await tried(past, named))).toBe(JSON.stringify(found));
      await past.engine.stop();

      const ids: string[] = [];
      const verdicts: string[] = [];
      const real = await played(
        history,
        (rig, n) => {
          verdicts.push(fateOf(rig, idOf(n), sessionOf(n)));
        },
        async (rig) => {
          for (const { forMs, ...one } of rules)
            ids.push(await ruleFor(rig, one, forMs === undefined ? {} : { forMs }));
        },
      );
      await real.engine.stop();
      const would = new Map(found.items.map((item) => [item.approvalId, item]));
      const state = { allow: "approved", deny: "denied", ask: "pending" } as const;
      const said = history.map((_, n) => {
        const item = would.get(idOf(n));
        if (!item || item.would === "ask") return "pending";
        return `${state[item.would]} rule:${ids[Number(item.rule?.slice(1))] ?? ""}`;
      });
      expect(said).toEqual(verdicts);
    });
  });

  test("RULE-TRIAL-1, RULES-IN-USE-2: what was asked since a moment is tried as if the rule had been made then", async () => {
    const one = { command: "git status", answer: "none" } as const;
    const rig = await played(
      [0, HOUR_MS, HOUR_MS, HOUR_MS].map((afterMs) => ({ ...one, afterMs })),
      () => undefined,
    );
    const allow: Tried = { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } };
    const since = rig.clock.now() - 2 * HOUR_MS;
    expect(await tried(rig, [{ ...allow, forMs: HOUR_MS }])).toMatchObject({
      asked: 4,
      allow: 1,
      limited: 3,
    });
    expect(await tried(rig, [{ ...allow, forMs: HOUR_MS + 1 }], { since })).toMatchObject({
      asked: 3,
      allow: 2,
      limited: 1,
    });
    const ended = { ...allow, expiresAt: rig.clock.now() };
    expect(await tried(rig, [ended])).toMatchObject({ asked: 4, allow: 3, limited: 1 });
    await rig.engine.stop();
  });

  test("RULES-IN-USE-1: a rule that was made begins unused, and a dry one answers", async () => {
    const one = { command: "git status", answer: "none", afterMs: 0 } as const;
    const rig = await played([one, one, one], () => undefined);
    const allow: Tried = { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } };
    const made = { ...allow, uses: 2, used: 2, perHour: 5, lately: [rig.clock.now()], dry: true } as const;
    expect(await tried(rig, [made])).toMatchObject({ allow: 2, limited: 1 });
    await rig.engine.stop();
  });

  test("RULE-TRIAL-4, BACKTEST-MOMENTS-2: calls that ran unasked are counted apart, and use up nothing", async () => {
    const rig = await Rig.start();
    const run = async (id: string, command: string, ...more: Parameters<Rig["tell"]>[1][]): Promise<void> => {
      await rig.tell("s1", said.pre(call(id, "Bash", { command })), ...more);
    };
    await rig.tell("s1", said.prompt("p"));
    await run("c1", "rm -rf x", said.post(call("c1", "Bash", { command: "rm -rf x" })));
    await run("c2", "git status");
    await run("c3", "git push");
    rig.clock.advance(1);
    const asking = call("c4", "Bash", { command: "rm -rf y" });
    await run("c4", "rm -rf y", said.ask("a4", asking));
    await rig.tell("s1", said.announced(call("c5", "Bash", { command: "rm -rf z" })));
    const deny: Tried = { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" }, uses: 1 };
    const rules: readonly Tried[] = [
      deny,
      { effect: "ask", tool: "Bash", match: { kind: "prefix", text: "git push" } },
    ];
    const { unasked, ...found } = await tried(rig, rules, { withCalls: true });
    expect(found).toMatchObject({ asked: 1, deny: 1, limited: 0 });
    expect(unasked).toMatchObject({ calls: 3, deny: 1, ask: 1, more: false });
    const told = unasked?.items.map(({ would, input }: UnaskedItem) => [would, input]);
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        ["ask", '{"command":"git push"}'],
        ["deny", '{"command":"rm -rf x"}'],
      ]),
    );
    expect((await tried(rig, rules)).unasked).toBeUndefined();
    await rig.engine.stop();
  });

  test("RULE-TRIAL-5: it goes in slices, tells how far it is, and says the same as at once", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p"));
    for (let n = 0; n < 6; n += 1)
      await rig.tell(
        "s1",
        ...Array.from({ length: 100 }, (_, k) => said.pre(call(`c${n}-${k}`, "Bash", { command: "rm x" }))),
      );
    const deny: Tried = { effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" } };
    const run = trialInSlices(new Reader(rig.engine.store), [deny], { ...SCOPE, withCalls: true });
    const told: [number, number][] = [];
    let found: Trial | undefined;
    while (!found) {
      const { done, value } = await run.next();
      if (done === true) found = value;
      else told.push([value.looked, value.of]);
    }
    expect(told).toEqual([
      [0, 600],
      [250, 600],
      [500, 600],
    ]);
    expect(found).toEqual(await tried(rig, [deny], { withCalls: true }));
    expect(found.unasked).toMatchObject({ calls: 600, deny: 600 });
    await rig.engine.stop();
  });

  test("BACKTEST-MOMENTS-1: what is removed while a trial goes on is not missed", async () => {
    const one = { command: "git status", answer: "approve", afterMs: 0 } as const;
    const rig = await played([one, one], answer);
    const allow: Tried = { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } };
    const run = trialInSlices(new Reader(rig.engine.store), [allow], SCOPE);
    expect((await run.next()).value).toEqual({ looked: 0, of: 2 });
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect(rig.rows("past/").size).toBe(2);
    expect((await run.next()).value).toMatchObject({ asked: 2, allow: 2 });
    await rig.engine.stop();
  });

  test("BACKTEST-MOMENTS-3: one that cannot be read is left out", async () => {
    const one = { command: "git status", answer: "approve", afterMs: 0 } as const;
    const rig = await played([one, one], answer);
    rig.disk.rows.set(`actor/${WORKSPACE}/${sessionOf(0)}/approval/${idOf(0)}`, "{");
    const allow: Tried = { effect: "allow", tool: "Bash", match: { kind: "glob", text: "git status *" } };
    expect(await tried(rig, [allow])).toMatchObject({ asked: 1, allow: 1 });
    await rig.engine.stop();
  });

  test("BACKTEST-PLACES-1, BACKTEST-PLACES-2: of many the newest are looked at, in their order, kept or removed", async () => {
    const one = { command: "git status", answer: "approve" } as const;
    const history = Array.from({ length: 9 }, (_, n) => ({
      ...one,
      afterMs: n === 5 ? 30 * HOUR_MS : n % 2,
    }));
    const rig = await played(history, answer);
    expect(rig.rows("past/").size).toBe(5);
    const ids = async (max: number, since = 0): Promise<readonly [boolean, ...string[]]> => {
      const found = await approvalPlaces(rig.engine.store, { workspace: WORKSPACE, since, max });
      return [found.more, ...found.places.map(({ id }) => id)];
    };
    const all = history.map((_, n) => idOf(n));
    expect(await ids(100)).toEqual([false, ...all]);
    expect(await ids(9)).toEqual([false, ...all]);
    expect(await ids(7)).toEqual([true, ...all.slice(2)]);
    expect(await ids(2)).toEqual([true, ...all.slice(7)]);
    expect(await ids(100, rig.clock.now())).toEqual([false, "a007", "a008"]);
    const calls = await callPlaces(rig.engine.store, { workspace: WORKSPACE, since: 0, max: 3 });
    expect([calls.more, calls.places.length]).toEqual([true, 3]);
    const other = { workspace: "other", since: 0, max: 3 };
    expect(await approvalPlaces(rig.engine.store, other)).toEqual({ places: [], more: false });
    await rig.engine.stop();
  });
});
