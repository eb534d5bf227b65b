// Early list
// A `tool.batch` taken for "here comes a batch" is answered with a warning; one that comes last is not.

import { describe, expect, it, test } from "vitest";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { memoryEngine } from "../../support/engine/memory-engine.ts";
import { asItHappened, messages, play, playedCalls } from "../../support/sessions/play.ts";
import { allRecordings } from "../../support/sessions/recording.ts";

type Said = readonly [type: string, data: object];

const told = (list: readonly Said[]): readonly SourceMessage[] =>
  list.map(([type, data], n) => ({
    door: "in",
    workspace: "shop" as WorkspaceId,
    session: "s1" as SessionId,
    source: "/gateway",
    id: `m${n}`,
    type,
    data,
  }));

async function replay(list: readonly SourceMessage[]) {
  const { engine, clock } = await memoryEngine();
  const replies = await play(engine, clock, list);
  const calls = playedCalls(engine).map(({ execution }) => execution);
  await engine.stop();
  return { warnings: replies.map(({ warning }) => warning), calls };
}

const IDS = ["t1", "t2", "t3"];
const created: Said = ["request.created", { requestId: "r1" }];
const each = (type: string, more: object = {}): readonly Said[] =>
  IDS.map((toolUseId) => [type, { tool: "send_mail", toolUseId, requestId: "r1", ...more }]);
const batch = (ids: readonly string[] = IDS): Said => [
  "tool.batch",
  { requestId: "r1", calls: ids.map((toolUseId) => ({ toolUseId, tool: "send_mail" })) },
];

describe("EARLY-LIST-1: a list that ends calls nobody has told an end of", () => {
  test.each([
    ["that are new", [created, batch()]],
    ["just announced", [created, ...each("tool.announced"), batch()]],
    ["just started", [created, ...each("tool.started"), batch()]],
  ] as const)("EARLY-LIST-1: calls %s are named in a warning, with what to do", async (_, list) => {
    const { warnings } = await replay(told(list));
    expect(warnings.slice(0, -1).filter(Boolean)).toEqual([]);
    const last = warnings.at(-1);
    expect(last?.code).toBe("CALLS_ENDED_BY_LIST");
    expect(last?.message).toMatch(
      /^This tool\.batch ended 3 calls without a result: t1, t2, t3; send it last/,
    );
  });

  test.each(["tool.announced", "tool.started"])(
    "EARLY-LIST-1: as the warning says, a result after it still counts (%s)",
    async (type) => {
      const { calls } = await replay(told([created, ...each(type), batch(), ...each("tool.finished")]));
      expect(calls).toEqual(["completed", "completed", "completed"]);
    },
  );

  it("EARLY-LIST-1: a list that comes last has no warning; one without the others' results names only those", async () => {
    const all = [created, ...each("tool.started"), ...each("tool.finished"), batch()];
    expect((await replay(told(all))).warnings.filter(Boolean)).toEqual([]);
    const failing = [created, ...each("tool.started"), ...each("tool.failed", { error: "no" }), batch()];
    expect((await replay(told(failing))).warnings.filter(Boolean)).toEqual([]);
    const [first = created, ...rest] = each("tool.finished").slice(1);
    const some = [created, ...each("tool.started"), first, ...rest, batch()];
    expect((await replay(told(some))).warnings.at(-1)?.message).toContain(
      "ended 1 call without a result: t1;",
    );
  });

  it("EARLY-LIST-1: of many calls it names the first five and how many others there are", async () => {
    const many = Array.from({ length: 40 }, (_, n) => `t${n}`);
    const { warnings } = await replay(told([created, batch(many)]));
    expect(warnings.at(-1)?.message).toContain(
      "ended 40 calls without a result: t0, t1, t2, t3, t4 and 35 others;",
    );
  });
});

describe("EARLY-LIST-2: the real client's own lists", () => {
  test.each(allRecordings().map((recording) => [recording.name, recording] as const))(
    "EARLY-LIST-2: nothing of the recording %s has a warning",
    async (_, recording) => {
      const list = [...asItHappened(recording), ...messages(recording, ["transcript"])];
      expect((await replay(list)).warnings.filter(Boolean)).toEqual([]);
    },
  );
});
