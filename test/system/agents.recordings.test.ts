// Recordings of agents
// What real agents said, played to the proxy and an engine, and judged by what they told their model, and by the files they left.

import { describe, expect, test } from "vitest";
import type { ApprovalContext, SourceInput } from "../../machines/index.ts";
import { Queries } from "../../runtime/reading/queries.ts";
import { type AgentRecording, agentRecordings, type End } from "../support/agent-proxy/recorded.ts";
import { type PlayedAgent, playedAgent, type PlayedCall } from "../support/agent-proxy/replayed.ts";
import { verified } from "../support/engine/verifying.ts";

const RECORDINGS = agentRecordings().map((recording) => [recording.name, recording] as const);

test("Docs: there are recordings of three agents, with calls that ran, failed, were denied and interrupted, one by one and together", () => {
  const of = (agent: string) => RECORDINGS.filter(([name]) => name.startsWith(agent));
  expect([of("opencode"), of("copilot"), of("codex")].map(({ length }) => length)).toEqual([4, 4, 10]);
  const endsOf = (door: AgentRecording["door"], end: End) =>
    RECORDINGS.flatMap(([, recording]) => (recording.door === door ? recording.proven : [])).filter(
      (each) => each.end === end,
    ).length;
  const ends = ["completed", "failed", "denied", "interrupted"] as const;
  expect(ends.map((end) => endsOf("acp", end))).toEqual([22, 0, 8, 0]);
  expect(ends.map((end) => endsOf("codex", end))).toEqual([20, 2, 9, 2]);
});

describe.each(RECORDINGS)("%s", (_, recording: AgentRecording) => {
  test("RECORDED-1: what is said to have run left its file, and nothing else did", () => {
    const left = recording.proven
      .filter(({ end }) => end === "completed")
      .flatMap(({ leaves = [] }) => leaves);
    expect([...new Set(left)].toSorted()).toEqual([...recording.files].toSorted());
  });

  test("RECORDED-1: an agent says of a call what it told its model; a call that was denied with its turn is interrupted there", () => {
    for (const { end, told = end } of recording.proven)
      expect(end === "denied" ? ["denied", "interrupted"] : [end]).toContain(told);
  });

  test("PROXY-CALLS-1, PROXY-CALLS-3, CODEX-ITEMS-1: each call ends as its agent said, and a replay says the same", async () => {
    const { rig, calls } = await playedAgent(recording);
    const ends = calls.map((call) => [call.context.toolUseId, endOf(call)]);
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
      expect([context.ambiguous, markIn(recording, context)]).toEqual([false, known?.mark]);
      const isShell = !["fileChange", "mcp__files__write"].includes(context.tool);
      expect(context.shell?.command).toBe(isShell ? known?.mark : undefined);
    }
  });

  test("I-49, PROXY-NOTES-1: each call has the words that its agent said before it, or its own description", async () => {
    const { calls } = await playedAgent(recording);
    const intents = calls.map(({ context }) => [context.toolUseId, context.intent?.text]);
    expect(intents.toSorted()).toEqual(
      recording.proven.map(({ id, intent }) => [`${id}-r`, intent]).toSorted(),
    );
  });

  test("PROXY-SESSIONS-3: the session tells the agent's program and its version", async () => {
    const { rig, session } = await playedAgent(recording);
    expect(new Queries(rig.engine).getSession(session as never, {})?.client).toBe(recording.client);
  });

  test("S0.12: without ids nothing false is said of a call that is not called ambiguous", async () => {
    const { rig, calls } = await playedAgent(recording, withoutIds);
    const approvals = new Map(
      approvalsIn(rig).map(({ context }) => [context.callId as string | undefined, context]),
    );
    const wrong = calls.filter((call) => {
      const { context } = call;
      const approval = approvals.get(context.id);
      const mark = markIn(recording, context) ?? (approval && markIn(recording, approval));
      if (context.match.ambiguous || approval?.ambiguous === true || mark === undefined) return false;
      const ends = recording.proven.filter((each) => each.mark === mark).map(({ end }): unknown => end);
      return call.execution !== "missing-post" && !ends.includes(endOf(call));
    });
    expect(wrong.map(({ context, execution }) => [context.tool, context.input, execution])).toEqual([]);
    expect(calls.filter(({ context }) => context.toolUseId !== undefined)).toEqual([]);
  });
});

const endOf = ({ execution, context }: PlayedCall): unknown =>
  execution === "missing-post" ? context.missing?.cause : execution;

/** The mark of the call that an input belongs to; undefined where there is none. */
function markIn(
  { proven }: AgentRecording,
  { input }: Pick<PlayedCall["context"] | ApprovalContext, "input">,
) {
  const text = input && "text" in input ? input.text : undefined;
  return text === undefined ? undefined : proven.find(({ mark }) => text.includes(mark))?.mark;
}

const approvalsIn = (rig: PlayedAgent["rig"]) =>
  [...rig.rows("actor/").entries()]
    .filter(([key]) => key.includes("/approval/"))
    .map(([, text]) => JSON.parse(text) as { readonly context: ApprovalContext });

function withoutIds(input: SourceInput): SourceInput {
  if (!("call" in input)) return input;
  const { toolUseId: _, ...call } = input.call;
  return { ...input, call };
}
