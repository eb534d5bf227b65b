// Alarms
// Real sessions of the real client, in which every call that ran was allowed to: none of them may raise an alarm.

import { describe, expect, test } from "vitest";
import { alarmOf, type SourceInput } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { memoryEngine } from "../support/engine/memory-engine.ts";
import { Rig } from "../support/engine/rig.ts";
import { asItHappened, messages, ORDERS, play, playedCalls } from "../support/sessions/play.ts";
import { allRecordings, recording } from "../support/sessions/recording.ts";
import type { SourceMessage } from "../../runtime/message.ts";

async function alarmsIn(list: readonly SourceMessage[]): Promise<readonly string[]> {
  const { engine, clock } = await memoryEngine();
  await play(engine, clock, list);
  const counted = engine.meta().counts;
  const raised = playedCalls(engine).flatMap(({ execution, approval, context }) => {
    const alarm = alarmOf({ execution, approval, context });
    return alarm ? [`${context.id} ${alarm.kind} ${alarm.because}`] : [];
  });
  await engine.stop();
  const standing = Object.entries(counted).filter(
    ([name, count]) => name.startsWith("alarm/") && count !== 0,
  );
  expect(standing.length > 0).toBe(raised.length > 0);
  return raised;
}

const gated = (list: readonly SourceMessage[], by: "all" | "permission"): readonly SourceMessage[] =>
  list.map((message) =>
    message.type === "claude-code.hook"
      ? { ...message, data: { ...(message.data as object), gated: by } }
      : message,
  );

test("C7, PERMISSION-1, ALARM-3: with the gate as it is installed by default, calls that a rule allows raise none", async () => {
  const ten = recording("s1-ten-allowed");
  for (const order of ORDERS)
    expect(await alarmsIn(gated(messages(ten, order), "permission")), order.join(" > ")).toEqual([]);
  const happened = [...asItHappened(ten), ...messages(ten, ["transcript"])];
  expect(await alarmsIn(gated(happened, "permission"))).toEqual([]);
});

test("ALARM-3: where every call was to be asked about, each that ran without a gate raises one", async () => {
  const raised = await alarmsIn(gated(asItHappened(recording("s1-ten-allowed")), "all"));
  expect(raised).toHaveLength(10);
  for (const each of raised) expect(each).toContain("gateFailedOpen never-asked");
});

test("ALARM-3: a call that was denied and ran all the same is told as that, also where no gate asked about it", async () => {
  const call = { toolUseId: "t1", tool: "Bash", input: toolInput({ command: "make" }) };
  const denied: SourceInput = { type: "tool.denied", call, verdict: "user" };
  const ran: SourceInput = { type: "tool.finished", call, output: "done", gated: "all" };
  const rig = await Rig.start();
  await rig.tell("s1", { type: "prompt.submitted", promptId: "p1", text: "go" });
  await rig.tell("s1", { type: "tool.started", call });
  for (const input of [denied, ran]) await rig.tell("s1", input);
  const told = rig.changes.filter(({ entity }) => entity === "alarm").map(({ to }) => to);
  expect(told).toEqual(["executedAfterDenial"]);
  await rig.engine.stop();
});

describe.each(allRecordings().map((recording) => [recording.name, recording] as const))(
  "%s",
  (_, recording) => {
    test("C7, ALARM-1, ALARM-2: whatever comes first, no call raises an alarm", async () => {
      for (const order of ORDERS)
        expect(await alarmsIn(messages(recording, order)), order.join(" > ")).toEqual([]);
      const happened = [...asItHappened(recording), ...messages(recording, ["transcript"])];
      expect(await alarmsIn(happened)).toEqual([]);
      expect(await alarmsIn([...happened, ...happened])).toEqual([]);
    });
  },
);
