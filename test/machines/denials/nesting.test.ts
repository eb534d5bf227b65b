// Nesting: denials
// How far a denial reaches along the calls that started subagents.

import { describe, expect, test } from "vitest";
import { cascade } from "../../../machines/cascade.ts";
import type { CallId, CascadePolicy, Input, Records } from "../../../machines/index.ts";
import { callBooks } from "../../../machines/index.ts";
import { MemoryRecords } from "../../support/machines/memory-records.ts";
import { by, ends, MAIN, ref, starts, statesOf, type Who } from "../../support/sessions/nested.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

/** Where an interrupt leaves them: what is waited for goes down, whoever works in the background goes on. */
const allButBackground = (denied: string): readonly string[] =>
  ["fg", "bg", "in", "deep", "back", "c1", "c2"].map((id) => {
    if (id === denied) return `${id} denied`;
    return id === "bg" ? "bg completed" : `${id} ${id === "back" ? "processing" : "missing-post"}`;
  });

describe("a denial along it", () => {
  const question = (who: Who, toolUseId: string): Input => ({
    type: "approval.requested",
    call: ref(toolUseId),
    channel: "sdk",
    ...by(who),
  });

  /** `asked` was asked about last: a no that interrupts. */
  function denied(cascade: CascadePolicy, who: Who, asked: string, ...before: readonly Input[]): SessionRun {
    const run = new SessionRun({ policy: { cascade } }).tell(...before, question(who, asked));
    run.take({ decide: 0, decision: "deny", hash: "shown", interrupt: true });
    return run;
  }

  const WHOM = [
    [
      "by id and call",
      { agent: "a1", under: "fg" },
      { agent: "a2", under: "in" },
      { agent: "a3", under: "bg" },
    ],
    ["by the call alone", { under: "fg" }, { under: "in" }, { under: "bg" }],
  ] as const;

  /** Main waits for one agent, which waits for another; a third was sent to the background. */
  const nested = (inFront: Who, deep: Who, behind: Who): readonly Input[] => [
    starts(MAIN, "fg", "Task"),
    starts(MAIN, "bg", "Task"),
    starts(inFront, "in", "Task"),
    starts(deep, "deep"),
    starts(behind, "back"),
    ends(MAIN, "bg"),
    starts(MAIN, "c1"),
    starts(MAIN, "c2"),
  ];

  test.each(WHOM)(
    "I-10, I-47: interrupt, subagents named %s: those waited for go down with it, however deep; one in the background does not",
    (_, ...who) => {
      const run = denied("interrupt", MAIN, "c1", ...nested(...who));
      expect(statesOf(run)).toEqual(allButBackground("c1"));
    },
  );

  test.each(WHOM)(
    "I-10, I-47: interrupt, subagents named %s: a no to one that is waited for ends the whole turn, to one in the background only its call",
    (_, ...who) => {
      const [, deep, behind] = who;
      expect(statesOf(denied("interrupt", deep, "deep", ...nested(...who)))).toEqual(
        allButBackground("deep"),
      );
      const spared = statesOf(denied("interrupt", behind, "back", ...nested(...who)));
      expect(spared.filter((each) => each.endsWith("denied"))).toEqual(["back denied"]);
    },
  );

  test.each(WHOM)("I-10, I-47: strict, subagents named %s: the batch and no more", (_, ...who) => {
    const [inFront] = who;
    const batch = [starts(inFront, "in-2"), starts(inFront, "in-3")];
    const inMain = denied("strict", MAIN, "c1", ...nested(...who));
    expect(statesOf(inMain).filter((each) => each.endsWith("denied"))).toEqual(["c1 denied", "c2 denied"]);
    const inside = denied("strict", inFront, "in-2", ...nested(...who), ...batch);
    expect(statesOf(inside).filter((each) => each.endsWith("denied"))).toEqual([
      "in-2 denied",
      "in-3 denied",
    ]);
  });

  test("I-10, I-47: strict: a batch begun under the call alone goes on under the id, and falls whole", () => {
    const run = denied(
      "strict",
      { under: "task" },
      "c1",
      starts(MAIN, "task", "Task"),
      starts({ under: "task" }, "c1"),
      starts({ agent: "a1", under: "task" }, "c2"),
      starts({ agent: "a1" }, "c3"),
    );
    expect(statesOf(run)).toEqual(["task processing", "c1 denied", "c2 denied", "c3 denied"]);
  });

  test("I-10, I-47: interrupt: agents in a circle, or under their own call, are waited for by nobody", () => {
    const run = denied(
      "interrupt",
      MAIN,
      "c1",
      starts({ agent: "a1", under: "in-a2" }, "in-a1", "Task"),
      starts({ agent: "a2", under: "in-a1" }, "in-a2", "Task"),
      starts({ agent: "a3", under: "own" }, "own", "Task"),
      starts({ agent: "a4", under: "never-seen" }, "lost"),
      starts(MAIN, "c1"),
    );
    expect(statesOf(run)).toEqual([
      "in-a1 processing",
      "in-a2 processing",
      "own processing",
      "lost processing",
      "c1 denied",
    ]);
  });

  test("I-10, I-47: interrupt: a chain of agents costs what its length is, not its square", () => {
    const cost = (depth: number): number => {
      const run = new SessionRun({ policy: { cascade: "interrupt" } });
      for (let n = 0; n < depth; n++)
        run.tell(starts(n === 0 ? MAIN : { agent: `a${n}`, under: `t${n - 1}` }, `t${n}`, "Task"));
      const id = `t${depth - 1}` as CallId;
      const call = callBooks.get(run.records, id);
      const records = new MemoryRecords();
      const counted: Records = {
        get: (book, id) => (records.get(book, id), run.records.get(book, id)),
        set: (book, id, value) => run.records.set(book, id, value),
        delete: (book, id) => run.records.delete(book, id),
      };
      const denial = { cause: "direct", interrupt: true, predicted: false } as const;
      expect(call && cascade(counted, "interrupt", id, call, denial)).toHaveLength(depth - 1);
      return records.operations;
    };
    expect(cost(120) / cost(40)).toBeLessThan(3.5);
  });
});
