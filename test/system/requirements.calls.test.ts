// Seed 000, tool-call correlation, through an engine: what a Pre and a Post become.

import { describe, expect, test } from "vitest";
import type { CallRef, SourceInput, ToolInput } from "../../machines/index.ts";
import { MAIN_AGENT } from "../../machines/index.ts";
import { likeness } from "../../machines/queues/queue-keys.ts";
import { MemoryRecords } from "../support/machines/memory-records.ts";
import { type CallBook, calls } from "../../machines/books.ts";
import { advance, findById, findInLine, register } from "../../machines/matching/correlation.ts";
import type { BatchId, CallId, RequestId } from "../../machines/ids.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { type CallAnswer, Queries } from "../../runtime/reading/queries.ts";
import { Rig } from "../support/engine/rig.ts";
import { call, said, unnamed } from "../support/sessions/said.ts";

const output = (ref: CallRef, text: string): SourceInput => ({
  type: "tool.finished",
  call: ref,
  output: text,
});

/** The calls of session s1, oldest first, whole. */
function callsOf({ engine }: Rig): readonly CallAnswer[] {
  const queries = new Queries(engine);
  const { items } = queries.toolCallsOf("s1", {}) ?? { items: [] };
  return items
    .map(({ id }) => queries.getToolCall(id))
    .filter((view) => view !== undefined)
    .sort((a, b) => a.index - b.index);
}

describe("with ids", () => {
  test("S0.1, S0.7: calls that interleave each get the result of their own id", async () => {
    const rig = await Rig.start();
    const refs = ["a", "b", "c", "d"].map((id) => call(id, "Bash", { command: "the same" }));
    await rig.tell("s1", said.prompt("p1"), ...refs.map(said.pre));
    for (const ref of refs.toReversed()) await rig.tell("s1", output(ref, `of ${ref.toolUseId ?? ""}`));
    const outcomes = callsOf(rig).map(({ id, execution, output: text, match }) => [
      id,
      execution,
      text,
      match.how,
    ]);
    expect(outcomes).toEqual(["a", "b", "c", "d"].map((id) => [id, "completed", `of ${id}`, "id"]));
  });

  test("S0.5: a Pre without a Post ends as missing-post, with its cause and the input it was given", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), said.pre(call("a", "Bash", { command: "sleep 9" })));
    await rig.tell("s1", said.sessionEnd());
    expect(callsOf(rig)).toMatchObject([
      { execution: "missing-post", missing: { cause: "interrupted" }, input: { command: "sleep 9" } },
    ]);
  });

  test("S0.11: a Post before its Pre waits, and completes the call when the Pre comes", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), output(call("a"), "early"));
    expect(callsOf(rig)).toEqual([]);
    await rig.tell("s1", said.pre(call("a")));
    expect(callsOf(rig)).toMatchObject([{ id: "a", execution: "completed", output: "early" }]);
  });

  test("S0.11: one whose Pre never comes becomes a call of its own that says so", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"), output(call("a"), "early"));
    await rig.pass(61_000);
    expect(callsOf(rig)).toMatchObject([{ id: "a", execution: "completed", match: { pre: "missing" } }]);
  });
});

describe("without ids", () => {
  test("S0.2, S0.3: the same call said twice is two calls, answered first in, first out", async () => {
    const rig = await Rig.start();
    const same = unnamed("Bash", { command: "the same" });
    await rig.tell("s1", said.prompt("p1"));
    for (let n = 0; n < 2; n += 1) await rig.tell("s1", said.pre(same));
    for (const text of ["first", "second"]) await rig.tell("s1", output(same, text));
    expect(callsOf(rig).map((each) => each.output)).toEqual(["first", "second"]);
  });

  test("S0.7: calls that interleave are told apart by what they were given", async () => {
    const rig = await Rig.start();
    const refs = ["a", "b", "c"].map((command) => unnamed("Bash", { command }));
    await rig.tell("s1", said.prompt("p1"), ...refs.map(said.pre));
    for (const [n, ref] of [...refs.entries()].toReversed()) await rig.tell("s1", output(ref, `${n}`));
    expect(callsOf(rig).map((each) => each.output)).toEqual(["0", "1", "2"]);
  });

  test("S0.12: a match that could have been another says so, with the number of candidates", async () => {
    const rig = await Rig.start();
    const same = unnamed("Bash", { command: "the same" });
    await rig.tell("s1", said.prompt("p1"));
    for (let n = 0; n < 3; n += 1) await rig.tell("s1", said.announced(same));
    await rig.tell("s1", said.pre(same));
    expect(callsOf(rig)[0]?.match).toEqual({ how: "input", ambiguous: true, candidates: 3 });
  });

  test("S0.14: a call without an id gets one, the same again when all is told again", async () => {
    const tell = async (): Promise<readonly string[]> => {
      const rig = await Rig.start();
      await rig.tell("s1", said.prompt("p1"));
      for (const command of ["a", "b", "a"]) await rig.tell("s1", said.pre(unnamed("Bash", { command })));
      return callsOf(rig).map(({ id }) => id);
    };
    const ids = await tell();
    expect(new Set(ids).size).toBe(3);
    expect(ids).toEqual([expect.stringMatching(/^c_[a-z2-7]{52}$/), expect.anything(), expect.anything()]);
    expect(await tell()).toEqual(ids);
  });
});

describe("cost", () => {
  const book = (ref: CallRef): CallBook => ({
    agentId: MAIN_AGENT,
    tool: ref.tool ?? "",
    requestId: "r" as RequestId,
    batchId: "b1" as BatchId,
    index: 0,
    stage: "announced",
    hadPre: true,
    asked: false,
    allowed: false,
    deferred: false,
    result: "",
    ...(ref.input && { hash: ref.input.hash }),
    ...(ref.toolUseId !== undefined && { toolUseId: ref.toolUseId }),
  });

  /** The most records one call touches, from its Pre to its Post, with `open` others open. */
  function mostTouched(refs: readonly CallRef[], open: number): number {
    const records = new MemoryRecords();
    let most = 0;
    const enter = (ref: CallRef, n: number): void => {
      register(records, digestId, `c_${n}` as CallId, book(ref));
    };
    refs.slice(0, open).forEach(enter);
    for (const [n, ref] of refs.slice(open).entries()) {
      records.operations = 0;
      enter(ref, open + n);
      const found =
        findById(records, ref) ?? findInLine(records, likeness(digestId, MAIN_AGENT, ref), ["announced"]);
      const id = found?.id ?? ("" as CallId);
      const before = calls.get(records, id);
      if (before) advance(records, digestId, id, advance(records, digestId, id, before, "started"), "closed");
      most = Math.max(most, records.operations);
    }
    return most;
  }

  const inputs = Array.from({ length: 100_040 }, (_, n) => toolInput({ n }));
  const inputOf = (n: number): ToolInput => inputs[n] ?? toolInput({ n });

  test.each([
    ["with ids", (n: number): CallRef => ({ toolUseId: `t${n}`, tool: "Bash", input: inputOf(n) })],
    ["without ids", (n: number): CallRef => ({ tool: "Bash", input: inputOf(n) })],
    ["without ids, all alike", (): CallRef => ({ tool: "Bash", input: inputOf(0) })],
  ])("S0.4, S0.8: a call %s touches no more records among 100,000 than among 160", (_, make) => {
    const refs = Array.from({ length: 100_040 }, (_unused, n) => make(n));
    // Both fill their last chunk to the brim: the dearest place to be.
    const few = mostTouched(refs.slice(0, 200), 160);
    expect(few).toBeGreaterThan(0);
    expect(mostTouched(refs, 100_000)).toBeLessThanOrEqual(few);
  });
});
