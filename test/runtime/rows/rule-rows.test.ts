// Rule rows
// How many rules there may be, when they end, and how often they answer, whatever dies in between.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { storeFailed } from "../../../runtime/errors/errors.ts";
import type { writeMessage } from "../../../runtime/message.ts";
import { placeOfRule, ruleIdOf } from "../../../runtime/rows/rule-rows.ts";
import { WrappedStore } from "../../support/faults/wrapped-store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { addRule, askFor, auditsIn, fateOf, removeRule, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";
import { call, said } from "../../support/sessions/said.ts";

const FILE = "test/runtime/rows/rule-rows.test.ts";

const fates = (rig: Rig, ids: readonly string[]): readonly string[] =>
  ids.map((id) => fateOf(rig, id).split(" ")[0] ?? "");

describe("a rule's id", () => {
  test("RULE-ROWS-1: is made of a position and a number, and gives its place; no other text does", () => {
    const places = [1, 35, 36, 12_345_678, Number.MAX_SAFE_INTEGER].flatMap((position) =>
      [0, 1, 42, 199].map((n) => placeOfRule(ruleIdOf(position, n))),
    );
    // Their order is that of the entries, and of what each entry says.
    expect(places).toEqual(places.toSorted());
    expect(new Set(places).size).toBe(20);
    for (const text of [
      "r_",
      "r_01",
      "r_A",
      "a_1",
      "r_1/2",
      "r_zzzzzzzzzzzz",
      "r_1_0",
      "r_1_01",
      "r_1_1000",
      "",
    ])
      expect(placeOfRule(text)).toBeUndefined();
  });

  test("RULE-ROWS-1, G10: the same journal makes the same rules, and the same answers", async () => {
    const rig = await Rig.start();
    const kept = await ruleFor(rig, glob("allow", "git *", { uses: 2 }), { forMs: HOUR_MS });
    await askFor(rig, "a1", "git status");
    const gone = await ruleFor(rig, glob("deny", "rm *"));
    await removeRule(rig, gone);
    const again = await Rig.start({ manual: rig.clock });
    for (const { body } of rig.disk.entries.slice(again.disk.entries.length)) {
      const message = JSON.parse(body) as Parameters<typeof writeMessage>[0];
      await (
        await again.engine.submit(message)
      ).settled;
    }
    expect([...again.rows("rule")]).toEqual([...rig.rows("rule")]);
    expect(fateOf(again, "a1")).toBe(`approved rule:${kept}`);
  });
});

describe("the rules of a workspace", () => {
  test("RULE-ROWS-2: are 200 at most; what has expired makes room", async () => {
    const rig = await Rig.start();
    for (let n = 0; n < 199; n += 1) await ruleFor(rig, glob("allow", `git log ${n}`));
    await ruleFor(rig, glob("allow", "git status"), { forMs: MINUTE_MS });
    const full = await addRule(rig, glob("allow", "git push"));
    expect(full).toMatchObject({ outcome: "rejected", code: "TOO_MANY_RULES" });
    rig.clock.advance(MINUTE_MS);
    await ruleFor(rig, glob("allow", "git push"));
    expect([rig.rows("rule/").size, rig.rows("ruled/").size]).toEqual([200, 1]);
  });

  test("RULE-MAKING-1: one that cannot be made leaves nothing; one that is not there cannot be removed", async () => {
    const rig = await Rig.start();
    expect(await addRule(rig, { effect: "allow", tool: "Bash" })).toMatchObject({
      outcome: "rejected",
      path: "match",
    });
    const over = { expiresAt: rig.clock.now() };
    expect(await addRule(rig, glob("allow", "ls", over))).toMatchObject({
      outcome: "rejected",
      path: "expiresAt",
    });
    for (const id of ["r_1", "r_", "x"])
      expect(await removeRule(rig, id)).toMatchObject({ outcome: "rejected", code: "UNKNOWN_RULE" });
    expect(rig.rows("rule").size).toBe(0);
  });

  test("RULE-MAKING-1: a rule answers what is asked from its entry on until its removal", async () => {
    const rig = await Rig.start();
    await askFor(rig, "a1", "git status");
    const id = await ruleFor(rig, glob("allow", "git *"));
    await askFor(rig, "a2", "git status");
    expect(await removeRule(rig, id, "local:bob")).toMatchObject({
      rule: { id, ended: { why: "removed", by: "local:bob" } },
    });
    await askFor(rig, "a3", "git status");
    expect(fates(rig, ["a1", "a2", "a3"])).toEqual(["pending", "approved", "pending"]);
  });
});

describe("the end of a rule", () => {
  test("RULE-ROWS-3, I-52, RULING-4: its time passes while the engine is away", async () => {
    const rig = await Rig.start();
    await ruleFor(rig, glob("allow", "git *"), { forMs: HOUR_MS });
    await askFor(rig, "a1", "git status");
    await rig.engine.stop();
    rig.clock.advance(HOUR_MS - 1);
    const soon = await rig.restart();
    await askFor(soon, "a2", "git status");
    await soon.engine.stop();
    soon.clock.advance(1);
    const late = await soon.restart();
    await askFor(late, "a3", "git status");
    expect(fates(late, ["a1", "a2", "a3"])).toEqual(["approved", "approved", "pending"]);
  });

  test("RULE-ROWS-4: it is kept for a while, then nothing of it is left; what it answered still says so", async () => {
    const configuration = { ...DEFAULT_CONFIGURATION, rulesKeptMs: 2 * DAY_MS, keepMs: 30 * DAY_MS };
    const rig = await Rig.start({ configuration });
    const used = await ruleFor(
      rig,
      glob("allow", "git *", { uses: 1, expiresAt: rig.clock.now() + 9 * DAY_MS }),
    );
    await ruleFor(rig, glob("allow", "ls *"), { forMs: HOUR_MS });
    const removed = await ruleFor(rig, glob("deny", "rm *"));
    const stays = await ruleFor(rig, glob("ask", "rm *"));
    await askFor(rig, "a1", "git status");
    await removeRule(rig, removed);
    expect([rig.rows("ruled/").size, rig.rows("ruleend/").size]).toEqual([2, 3]);
    await rig.pass(DAY_MS, HOUR_MS);
    expect(rig.rows("rulehome/").size).toBe(4);
    await rig.pass(2 * DAY_MS, HOUR_MS);
    expect([...rig.rows("rule").keys()].length).toBe(2);
    expect(rig.rows("rule/").size).toBe(1);
    expect(rig.row(`rulehome/${stays.slice(2).padStart(16, "0")}`)).toBe("w");
    expect(fateOf(rig, "a1")).toBe(`approved rule:${used}`);
    expect(auditsIn(rig, "decision")[0]?.["message"]).toContain(used);
  });
});

describe("a rule with n uses", () => {
  test("RULE-ROWS-3: answers n questions, however often they are sent", async () => {
    const rig = await Rig.start();
    const id = await ruleFor(rig, glob("allow", "git *", { uses: 2 }));
    const ask = (n: number) => {
      const ref = call(`c${n}`, "Bash", { command: `git log ${n}` });
      return rig.message("s1", [said.announced(ref), said.ask(`a${n}`, ref)], { id: `m${n}` });
    };
    for (const n of [1, 1, 2, 1, 2, 3, 3, 4]) await (await rig.engine.submit(ask(n))).settled;
    expect(fates(rig, ["a1", "a2", "a3", "a4"])).toEqual(["approved", "approved", "pending", "pending"]);
    expect(JSON.parse([...rig.rows("ruled/").values()][0] ?? "")).toMatchObject({
      id,
      used: 2,
      ended: { why: "used-up" },
    });
  });

  test("RULE-ROWS-3, I-52, I-30: answers exactly n, whichever commits are lost, however often the engine dies", async () => {
    let deaths = 0;
    const scenario = fc.record({
      uses: fc.integer({ min: 1, max: 4 }),
      asked: fc.integer({ min: 1, max: 6 }),
      /** At which commits the engine dies, and whether they became durable. */
      dies: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), { maxLength: 4 }),
    });
    await holdsLater(FILE, 150, scenario, async ({ uses, asked, dies }) => {
      const first = await Rig.start();
      const id = await ruleFor(first, glob("allow", "git *", { uses }));
      await first.engine.stop();
      const ids = Array.from({ length: asked }, (_, n) => `a${n}`);
      let rig: Rig = first;
      for (const [at, isDurable] of [...dies, [Infinity, true] as const]) {
        let commits = 0;
        rig =
          (await Rig.start({
            disk: first.disk,
            manual: first.clock,
            groupMax: 1,
            wrapStore: (store) =>
              new WrappedStore(store, async (_, commit) => {
                commits += 1;
                if (commits > at) throw storeFailed(new Error("it is dead"));
                if (commits < at) return commit();
                if (isDurable) await commit();
                throw storeFailed(new Error("it dies"));
              }),
          }).catch(() => undefined)) ?? rig;
        // Their sender sends all again: it cannot know what was applied.
        const sent = ids.map(async (each) => {
          const ref = call(`c-${each}`, "Bash", { command: `git log ${each}` });
          const message = rig.message("s1", [said.announced(ref), said.ask(each, ref)], { id: each });
          await (
            await rig.engine.submit(message)
          ).settled;
        });
        const done = await Promise.allSettled(sent);
        if (done.some(({ status }) => status === "rejected")) deaths += 1;
        if (at === Infinity) break;
        await rig.engine.stop().catch(() => undefined);
      }
      const by = ids.map((each) => fateOf(rig, each));
      expect(by.filter((fate) => fate === `approved rule:${id}`)).toHaveLength(Math.min(uses, asked));
      expect(by.filter((fate) => fate === "pending")).toHaveLength(Math.max(0, asked - uses));
      const decisions = auditsIn(rig, "decision").filter((row) => row["by"] === `rule:${id}`);
      expect(decisions).toHaveLength(Math.min(uses, asked));
      expect(rig.rows(`rule/${WORKSPACE}/`).size).toBe(uses > asked ? 1 : 0);
    });
    expect(deaths).toBeGreaterThan(100);
  });
});
