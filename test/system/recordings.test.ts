// Recordings
// Real sessions of the real client, judged by what the recordings themselves prove.

import { describe, expect, test } from "vitest";
import { memoryEngine } from "../support/engine/memory-engine.ts";
import { type Kind, prove, proveApprovals } from "../support/oracle/oracle.ts";
import {
  asItHappened,
  likeness,
  messages,
  ORDERS,
  type Part,
  play,
  playedCalls,
} from "../support/sessions/play.ts";
import { expectProven } from "../support/oracle/proven.ts";
import { allRecordings, type Recording } from "../support/sessions/recording.ts";
import { stripIds } from "../support/sessions/strip-ids.ts";
import type { ToolInput } from "../../machines/index.ts";
import type { SourceMessage } from "../../runtime/message.ts";

const textOf = (input: ToolInput | undefined): string => (input && "text" in input ? input.text : "");

async function replay(list: readonly SourceMessage[]) {
  const defects: unknown[] = [];
  const { engine, clock } = await memoryEngine(undefined, { onDefect: (error) => defects.push(error) });
  const replies = await play(engine, clock, list);
  const calls = playedCalls(engine);
  await engine.stop();
  expect(defects).toEqual([]);
  return { calls, replies };
}

async function judge(recording: Recording, list: readonly SourceMessage[], kind: Kind): Promise<void> {
  const { calls } = await replay(list);
  expectProven(calls, recording, kind);
}

const PARTS: readonly (readonly [Part, Kind])[] = [
  ["hooks", "hooks"],
  ["stream", "stream"],
  ["transcript", "transcript"],
];

describe.each(allRecordings().map((recording) => [recording.name, recording] as const))(
  "%s",
  (_, recording) => {
    test.each(PARTS)("C1–C5, S0.1: %s alone leave each call as they prove it", async (part, kind) => {
      await judge(recording, messages(recording, [part]), kind);
    });

    test.each(ORDERS.map((order) => [order.join(" > "), order] as const))(
      "C1–C5, I-24: %s leave each call as all of them prove it",
      async (_title, order) => {
        await judge(recording, messages(recording, order), "all");
      },
    );

    test("C1–C5: hooks and stream as they happened, then the transcript, leave each call as all of them prove it", async () => {
      await judge(recording, [...asItHappened(recording), ...messages(recording, ["transcript"])], "all");
    });

    test("I-21: the same messages again change nothing", async () => {
      const list = [...asItHappened(recording), ...messages(recording, ["transcript"])];
      const { replies } = await replay([...list, ...list]);
      const again = replies.slice(list.length);
      expect(again.filter(({ outcome }) => outcome !== "duplicate" && outcome !== "dead")).toEqual([]);
    });

    test("S0.2, I-18: hooks without ids are paired by what they say, and give the same ends", async () => {
      const { calls } = await replay(messages(stripIds(recording), ["hooks"]));
      const ends = (list: readonly (readonly [string, string])[]) =>
        list.map((pair) => pair.join(" → ")).sort();
      // Without an id nothing is inferred: the result may have been taken for another call's (C4).
      const proven = prove(recording, "hooks").map(
        ({ sessionId, tool, input, execution, cause }) =>
          [likeness(sessionId, tool, input), cause === "inferred" ? "missing-post" : execution] as const,
      );
      const became = calls.map(
        ({ sessionId, execution, context }) =>
          [likeness(sessionId, context.tool, textOf(context.input)), execution] as const,
      );
      expect(ends(became)).toEqual(ends(proven));
      for (const { context } of calls) expect(context.toolUseId).toBeUndefined();
    });

    test.each([
      ...PARTS.map(([part]) => [part, [part]] as const),
      ...ORDERS.map((order) => [order.join(" > "), order] as const),
    ])(
      "S0.12: without ids, %s claim nothing of a call that the recording contradicts",
      async (_title, parts) => {
        const { calls } = await replay(messages(stripIds(recording), parts));
        const proven = new Map<string, Set<string>>();
        for (const { sessionId, tool, input, execution } of prove(recording, "all")) {
          const like = likeness(sessionId, tool, input);
          proven.set(like, (proven.get(like) ?? new Set()).add(execution));
        }
        // A result that found no call says so itself (`pre: missing`): the client had rewritten the input.
        const open = new Set(["created", "queued", "processing", "missing-post"]);
        const contradicted = calls.filter(({ sessionId, execution, context }) => {
          if (context.match.pre === "missing") return false;
          const ends = proven.get(likeness(sessionId, context.tool, textOf(context.input)));
          return !open.has(execution) && !ends?.has(execution);
        });
        expect(
          contradicted.map(({ sessionId, execution, context }) => [
            sessionId,
            context.tool,
            context.input,
            execution,
          ]),
        ).toEqual([]);
      },
    );

    test("S3.11, S3.24: each question of the hooks belongs to the call it is proven to be about", async () => {
      const { calls } = await replay(asItHappened(recording));
      const asked = proveApprovals(recording).flatMap(({ channel, toolUseId, answer }) =>
        channel === "hook" && toolUseId !== undefined
          ? [{ toolUseId, ...(answer !== undefined && { answer }) }]
          : [],
      );
      const matched = new Set(
        calls.filter(({ context }) => context.approval !== undefined).map(({ toolUseId }) => toolUseId),
      );
      expect([...matched].sort()).toEqual([...new Set(asked.map(({ toolUseId }) => toolUseId))].sort());
    });
  },
);
