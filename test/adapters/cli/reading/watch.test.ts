// Watch board
// What `watch` shows of the changes of real sessions.

import { describe, expect, it } from "vitest";
import { changeAnswer, type ChangeAnswer } from "../../../../adapters/cli/answers.ts";
import { Board } from "../../../../adapters/cli/watch/board.ts";
import type { Size } from "../../../../adapters/cli/watch/frame.ts";
import type { SessionId, WorkspaceId } from "../../../../machines/index.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import { memoryEngine } from "../../../support/engine/memory-engine.ts";
import { messages } from "../../../support/sessions/play.ts";
import { recording } from "../../../support/sessions/recording.ts";

/** The changes that a recording's hooks cause, as they come over the wire. */
async function changesOf(name: string): Promise<readonly ChangeAnswer[]> {
  const { engine } = await memoryEngine();
  const changes: StateChange[] = [];
  engine.onChanges((list) => changes.push(...list));
  for (const message of messages(recording(name), ["hooks"])) await (await engine.submit(message)).settled;
  await engine.stop();
  return changes.map((change) => changeAnswer.parse(JSON.parse(JSON.stringify(change))));
}

/** The changes that a service's events cause. */
async function changesAfter(...events: readonly (readonly [string, object])[]) {
  const { engine } = await memoryEngine();
  const changes: StateChange[] = [];
  engine.onChanges((list) => changes.push(...list));
  const from = {
    door: "in",
    workspace: "shop" as WorkspaceId,
    session: "s1" as SessionId,
    source: "bot",
  } as const;
  for (const [n, [type, data]] of events.entries())
    await (
      await engine.submit({ ...from, id: `e${n}`, type, data })
    ).settled;
  await engine.stop();
  return changes.map((change) => changeAnswer.parse(JSON.parse(JSON.stringify(change))));
}

/** A line of each entity's changes in a session whose call ran though it was denied. */
const LINES: Readonly<Record<ChangeAnswer["entity"], string>> = {
  session: "session: Waiting for you",
  request: "request: Created",
  callback: "callback delivering",
  toolcall: "Queued        Bash  make deploy",
  approval: "Bash denied",
  alarm: "alarm: Ran after a denial: Bash ran though it was denied",
};

const textOf = (board: Board, size: Size, now: number): readonly string[] =>
  board.frame(size, now).map(({ text }) => text);

describe("watch board", () => {
  it("CLI: every call of a session is printed once for each state it enters, with the session's title and folder", async () => {
    const board = new Board();
    const lines = (await changesOf("s1-ten-allowed")).flatMap((change) => board.apply(change) ?? []);
    const calls = lines.filter((line) => / {2}(Queued|Running|Completed) +(Read|Bash|Write) {2}/.test(line));
    expect(calls).toHaveLength(30);
    for (const line of calls)
      expect(line).toContain("[[s1-ten-allowed]] Please do the steps. · /home/dev/shop");
  });

  it("BOARD-1: a frame shows the newest calls of each session within the screen", async () => {
    const board = new Board();
    const changes = await changesOf("s9-two-sessions");
    for (const change of changes) board.apply(change);
    const now = changes.at(-1)!.at;
    const frame = textOf(board, { columns: 60, rows: 40 }, now);
    expect(frame[0]).toBe("2 sessions");
    expect(frame.filter((line) => line.startsWith("Ended"))).toHaveLength(2);
    expect(Math.max(...frame.map((line) => line.length))).toBeLessThan(60);
    expect(textOf(board, { columns: 60, rows: 6 }, now)).toEqual([...frame.slice(0, 3), "… and 1 more"]);
    expect(textOf(board, { columns: 60, rows: 40 }, now + 3_600_000)).toHaveLength(1);
  });

  /** A frame's lines about calls, without their indent. */
  const callsShown = (board: Board): readonly string[] =>
    textOf(board, { columns: 200, rows: 60 }, 0)
      .filter((line) => line.startsWith("    "))
      .map((line) => line.trim());

  it("WATCH-CALLS-2: calls keep their order and their place while they change, and those not shown are counted", async () => {
    const changes = await changesOf("s1-ten-allowed");
    const board = new Board();
    const ended = new Map<string, string>();
    const order = [...new Set(changes.filter(({ entity }) => entity === "toolcall").map(({ id }) => id))];
    expect(order).toHaveLength(10);
    for (const change of changes) {
      board.apply(change);
      if (change.entity !== "toolcall") continue;
      ended.set(change.id, change.to);
      const [first = "", ...rest] = callsShown(board);
      const isCounted = first.startsWith("+");
      const shown = isCounted ? rest : [first, ...rest];
      expect(shown.length).toBe(Math.min(6, ended.size));
      const hidden = ended.size - shown.length;
      const counted = [...first.matchAll(/\+(\d+) \w+/g)].map(([, count]) => Number(count));
      expect(isCounted ? counted.reduce((sum, count) => sum + count, 0) : 0).toBe(hidden);
    }
    expect(callsShown(board)[0]).toBe("+4 Completed");
    const gists = (ids: readonly string[]) =>
      ids.map((id) => {
        const view = changes.findLast((change) => change.id === id)?.view as {
          input: Record<string, string>;
        };
        return view.input["command"] ?? view.input["file_path"];
      });
    expect(
      callsShown(board)
        .slice(1)
        .map((line) => line.split("  ").at(-1)),
    ).toEqual(gists(order.slice(4)));
  });

  it("WATCH-CALLS-2: an open call stays in sight, whatever comes after it", async () => {
    const changes = await changesOf("s1-ten-allowed");
    const [slow] = changes.filter(({ entity }) => entity === "toolcall");
    const board = new Board();
    for (const change of changes)
      if (change.id !== slow?.id || change.to !== "completed") board.apply(change);
    const [counted, first] = callsShown(board);
    expect([counted, first]).toEqual(["+4 Completed", expect.stringMatching(/^Running /)]);
  });

  it("WATCH-CALLS-2: of many open calls the running ones are shown first, then the next to come", async () => {
    const changes = await changesOf("s1-ten-allowed");
    const board = new Board();
    const calls = [...new Set(changes.filter(({ entity }) => entity === "toolcall").map(({ id }) => id))];
    const runs = calls.slice(0, 2);
    for (const change of changes)
      if (
        change.entity !== "toolcall" ||
        change.to === "queued" ||
        (runs.includes(change.id) && change.to === "processing")
      )
        board.apply(change);
    expect(callsShown(board).map((line) => line.split(/ {2,}/)[0])).toEqual([
      "+4 Queued",
      ...runs.map(() => "Running"),
      ...calls.slice(2, 6).map(() => "Queued"),
    ]);
  });

  it("BOARD-1, WATCH-CALLS-1: of a session with very many calls the oldest are only counted", async () => {
    const changes = (await changesOf("s1-ten-allowed")).filter(({ entity }) => entity !== "toolcall");
    const calls = (await changesOf("s1-ten-allowed")).filter(
      ({ entity, to }) => entity === "toolcall" && to === "completed",
    );
    const board = new Board();
    for (const change of changes) board.apply(change);
    for (let n = 0; n < 1000; n++) {
      const view = { ...(calls[0]?.view as object), id: `c${n}`, index: n };
      board.apply({ ...calls[0]!, id: `c${n}`, view });
    }
    expect(callsShown(board)[0]).toBe("+994 Completed");
    expect(callsShown(board)).toHaveLength(7);
  });

  it("BOARD-2: what a session asks stands with the best words that are known, and better ones have a line when they come", async () => {
    const call = { toolUseId: "t1", tool: "Bash", input: { command: "make deploy" } };
    const words = (text: string, source: string) => ({ text, source, confidence: "likely" });
    const changes = await changesAfter(
      ["tool.announced", { ...call, intent: words("Deploys", "description") }],
      ["approval.requested", { ...call, approvalId: "a1", channel: "gate" }],
      ["tool.announced", { ...call, messageId: "m", intent: words("Ship it", "message") }],
      ["approval.requested", { ...call, approvalId: "a2", channel: "gate-mcp" }],
    );
    const board = new Board();
    const lines = changes.flatMap((change) => board.apply(change) ?? []).map((line) => line.slice(14));
    expect(lines.filter((line) => line.includes("asks"))).toEqual([
      "Bash asks: make deploy (npx signalbox approvals)",
      "Bash asks because: Deploys",
      "Bash asks because: Ship it",
    ]);
    const frame = textOf(board, { columns: 80, rows: 20 }, 0);
    expect(frame.filter((line) => line.includes("why:"))).toEqual(["       why: Ship it"]);
  });

  it.each(changeAnswer.shape.entity.options)("BOARD-3: a change of %s has its line", async (entity) => {
    const call = { requestId: "r1", toolUseId: "t1", tool: "Bash", input: { command: "make deploy" } };
    const changes = await changesAfter(
      ["request.created", { requestId: "r1" }],
      ["tool.announced", call],
      ["approval.requested", { ...call, approvalId: "a1", channel: "bot" }],
      ["approval.answered", { approvalId: "a1", decision: "deny", by: "ana" }],
      ["tool.started", call],
      ["tool.finished", { ...call, output: "done" }],
      ["request.callback", { requestId: "r1", state: "delivering" }],
    );
    const board = new Board();
    const told = changes.map((change) => [change.entity, board.apply(change)?.slice(14) ?? ""] as const);
    expect(told).toContainEqual([entity, LINES[entity]]);
  });

  it("CLI: an awaited session is named until it appears", async () => {
    const board = new Board("zzz");
    expect(textOf(board, { columns: 80, rows: 20 }, 0)).toEqual(["No session zzz yet; waiting for it."]);
    for (const change of await changesOf("s1-ten-allowed")) board.apply(change);
    expect(board.waitsFor).toBeUndefined();
  });

  it("CLI: an approval that was answered where it was asked for is not shown as merely withdrawn", async () => {
    const changes = (await changesOf("s4-sdk-parallel-ask")).filter(({ entity }) => entity === "approval");
    const board = new Board();
    const lineOf = (outcome: string) => {
      const [change] = changes;
      const view = { ...(change?.view as object), tool: "Bash", state: "withdrawn", outcome };
      return board.apply({ ...change!, to: "withdrawn", view });
    };
    expect(lineOf("approved")).toMatch(/ Bash answered elsewhere: approved$/);
    expect(lineOf("unknown")).toMatch(/ Bash withdrawn$/);
  });

  it("VISIBLE-1: a call's input cannot leave its line", async () => {
    const [change] = (await changesOf("s1-ten-allowed")).filter(
      ({ entity, to }) => entity === "toolcall" && to === "queued",
    );
    const view = {
      ...(change?.view as object),
      tool: "Bash",
      input: { command: "ls\n\u001b[1A\u001b[2Kdone\u202e" },
    };
    const board = new Board();
    const line = board.apply({ ...change!, view });
    expect(line).toContain("ls␊␛[1A␛[2Kdone<U+202E>");
  });
});
