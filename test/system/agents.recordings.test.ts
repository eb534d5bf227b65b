// Recordings of agents
// What real agents said, played to the proxy and an engine, and judged by what they told their model, and by the files they left.

import { describe, expect, test } from "vitest";
import type { ApprovalContext, SourceInput } from "../../machines/index.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import {
  type AgentRecording,
  agentRecordings,
  type PlayedCall,
  playedAgent,
} from "../support/acp/recorded.ts";
import { textAt } from "../support/engine/json.ts";
import { verified } from "../support/engine/verifying.ts";

const RECORDINGS = agentRecordings().map((recording) => [recording.name, recording] as const);

test("Docs: there are recordings of two agents, with calls that ran and calls that were denied, one by one and together", () => {
  const of = (agent: string) => RECORDINGS.filter(([name]) => name.startsWith(agent));
  expect([of("opencode").length, of("copilot").length]).toEqual([4, 4]);
  const ends = RECORDINGS.flatMap(([, { proven }]) => proven.map(({ end }) => end));
  expect(ends.length).toBe(30);
  expect(ends.filter((end) => end === "denied").length).toBeGreaterThanOrEqual(6);
});

describe.each(RECORDINGS)("%s", (_, recording: AgentRecording) => {
  test("RECORDED-1: what is said to have run left its file, and nothing else did", () => {
    const left = recording.proven.filter(
      ({ command, end }) => command.startsWith("touch") && end === "completed",
    );
    const names = new Set(left.map(({ command }) => command.split(" ")[1]));
    expect([...names].toSorted()).toEqual([...recording.files].toSorted());
  });

  test("PROXY-CALLS-1, PROXY-CALLS-3: each call ends as the agent told its model, and a replay says the same", async () => {
    const { rig, calls } = await playedAgent(recording);
    const ends = calls.map(({ context, execution }) => [context.toolUseId, execution]);
    const proven = recording.proven.map(({ id, end }) => [`${id}-r`, end]);
    expect(ends.toSorted()).toEqual(proven.toSorted());
    expect(rig.defects).toEqual([]);
    expect((await verified(rig.disk)).differences).toEqual([]);
  });

  test("PROXY-CALLS-1: each question is about the call with its command, and counted as it was answered", async () => {
    const { rig, calls } = await playedAgent(recording);
    const approvals = approvalsIn(rig);
    expect(approvals.length).toBe(recording.proven.length);
    for (const { context } of approvals) {
      const call = calls.find((each) => each.context.id === context.callId);
      const known = recording.proven.find(({ id }) => `${id}-r` === call?.context.toolUseId);
      expect([context.ambiguous, commandOf(context)]).toEqual([false, known?.command]);
      expect(context.shell?.command).toBe(known?.command);
    }
  });

  test("CONVERSATION-4: the session tells the agent's program and its version", async () => {
    const { rig, session } = await playedAgent(recording);
    expect(new Queries(rig.engine).getSession(session as never, {})?.client).toBe(recording.client);
  });

  test("S0.12: without ids nothing false is said of a call that is not called ambiguous", async () => {
    const { rig, calls } = await playedAgent(recording, withoutIds);
    const approvals = new Map(
      approvalsIn(rig).map(({ context }) => [context.callId as string | undefined, context]),
    );
    const wrong = calls.filter(({ context, execution }) => {
      const approval = approvals.get(context.id);
      const command = commandOf(context) ?? (approval && commandOf(approval));
      if (context.match.ambiguous || approval?.ambiguous === true || command === undefined) return false;
      const ends = recording.proven.filter((each) => each.command === command).map(({ end }): unknown => end);
      return !["missing-post", ...ends].includes(execution);
    });
    expect(wrong.map(({ context, execution }) => [context.tool, context.input, execution])).toEqual([]);
    expect(calls.filter(({ context }) => context.toolUseId !== undefined)).toEqual([]);
  });
});

function commandOf({ input }: Pick<PlayedCall["context"] | ApprovalContext, "input">): string | undefined {
  return input && "text" in input ? textAt(JSON.parse(input.text), "command") : undefined;
}

const approvalsIn = (rig: Awaited<ReturnType<typeof playedAgent>>["rig"]) =>
  [...rig.rows("actor/").entries()]
    .filter(([key]) => key.includes("/approval/"))
    .map(([, text]) => JSON.parse(text) as { readonly context: ApprovalContext });

function withoutIds(input: SourceInput): SourceInput {
  if (!("call" in input)) return input;
  const { toolUseId: _, ...call } = input.call;
  return { ...input, call };
}
