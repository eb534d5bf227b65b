// Hold-back
// Numbered messages arrive in any order, or not at all.

import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plain } from "vitest";
import type { SessionId, SourceInput, WorkspaceId } from "../../../machines/index.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { memoryEngine } from "../../support/engine/memory-engine.ts";
import { play, playedCalls } from "../../support/sessions/play.ts";

const numbered = (sequence: number, input: SourceInput, source = "gateway"): SourceMessage => ({
  door: "in",
  workspace: "shop" as WorkspaceId,
  session: "s1" as SessionId,
  source,
  id: `${source}-${sequence}`,
  type: "test",
  sequence,
  data: input,
});

/** Starts and results of calls that differ only in their order: the same input, no ids. */
function story(results: readonly string[]): readonly SourceMessage[] {
  const call = { tool: "Bash", input: { text: "{}", hash: "0" } };
  return results.flatMap((output, index) => [
    numbered(2 * index + 1, { type: "tool.started", call }),
    numbered(2 * index + 2, { type: "tool.finished", call, output }),
  ]);
}

async function outputs(list: readonly SourceMessage[], idleMs = 0) {
  const { engine, clock } = await memoryEngine(undefined, { translate: ({ data }) => [data as SourceInput] });
  const replies = await play(engine, clock, list);
  if (idleMs > 0) {
    clock.advance(idleMs);
    await engine.own("shop" as WorkspaceId, "s1" as SessionId, { type: "process.gone" });
  }
  const calls = playedCalls(engine).map(({ execution, context }) => `${execution} ${context.output ?? ""}`);
  const ledger = engine.store.get("ledger/shop/s1") ?? "";
  await engine.stop();
  return { calls: calls.sort(), replies, ledger };
}

describe("hold-back", () => {
  test.prop([
    fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 6 }),
    fc.infiniteStream(fc.nat()),
  ])(
    "S0.13, I-23, G2: any order of arrival gives the result of the source's own order",
    async (results, keys) => {
      const inOrder = story(results);
      const shuffled = inOrder
        .map((message) => ({ message, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ message }) => message);
      expect((await outputs(shuffled)).calls).toEqual((await outputs(inOrder)).calls);
    },
  );

  plain("S0.13: a waiting message changes nothing until the one before it has come", async () => {
    const [first, second] = story(["done"]) as [SourceMessage, SourceMessage];
    expect((await outputs([second])).calls).toEqual([]);
    expect((await outputs([second, first])).calls).toEqual(["completed done"]);
  });

  plain(
    "S0.13: the sender of a waiting message learns that it waits, and for which number; an earlier waiting sender is not told again",
    async () => {
      const list = story(["one", "two", "three"]);
      const at = (...numbers: readonly number[]) => numbers.flatMap((n) => list[n - 1] ?? []);
      const { replies } = await outputs(at(3, 1, 4, 2, 6, 5));
      expect(replies.map(({ outcome, waitsFor }) => [outcome, waitsFor])).toEqual([
        ["held", 1],
        ["applied", undefined],
        ["held", 2],
        ["applied", undefined],
        ["held", 5],
        ["applied", undefined],
      ]);
      expect(replies[2]?.reason).toBe("it waits for number 2 of its source");
    },
  );

  const starts = (count: number, from: number, source?: string): readonly SourceMessage[] =>
    Array.from({ length: count }, (_, n) => {
      const hash = `${source ?? "gateway"}${n}`;
      const input = { text: JSON.stringify(hash), hash };
      return numbered(from + n, { type: "tool.started", call: { tool: "Bash", input } }, source);
    });

  plain.each([[[1_024]], [[1_000, 24]], [[1, 1_022, 1]]])(
    "I-37: 1,024 messages wait, of one source or of several: %j",
    async (counts) => {
      const waiting = counts.flatMap((count, n) => starts(count, 3, `source${n}`));
      const { calls, replies } = await outputs(waiting);
      expect(calls).toEqual([]);
      expect(new Set(replies.map(({ outcome }) => outcome))).toEqual(new Set(["held"]));
    },
  );

  plain("I-37: a message that ends the waiting of others may have to wait itself", async () => {
    const { calls, replies } = await outputs([...starts(1_024, 2), ...starts(1, 2_000)]);
    expect(calls).toHaveLength(1_024);
    expect(replies.at(-1)).toMatchObject({ outcome: "held", waitsFor: 1_026 });
  });

  plain("I-37: after 30 s without the missing number the rest goes on, and the gap is recorded", async () => {
    const [first, , third] = story(["one", "two"]) as [SourceMessage, SourceMessage, SourceMessage];
    const { calls, ledger } = await outputs([first, third], 31_000);
    expect(calls).toHaveLength(2);
    expect(JSON.parse(ledger)).toMatchObject({
      rejected: 1,
      rejections: [{ what: "gap", reason: "not sent when waiting for it ended: 2 of gateway" }],
    });
  });

  plain("I-37: the 1,025th waiting message ends the waiting", async () => {
    const { calls } = await outputs(starts(1_025, 2));
    expect(calls).toHaveLength(1_025);
  });

  plain("I-38: one source's gap holds up no other source", async () => {
    const call = { tool: "Read", input: { text: "{}", hash: "1" } };
    const { calls } = await outputs([
      numbered(2, { type: "tool.started", call }, "slow"),
      numbered(1, { type: "tool.started", call }, "quick"),
    ]);
    expect(calls).toHaveLength(1);
  });
});
