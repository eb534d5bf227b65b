// Gates
// Who may answer what an agent asks, what the agent hears of it, and what becomes of the other question.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { played, settled } from "../../../support/agent-proxy/played.ts";

let rig: ReturnType<typeof played>;
beforeEach(() => {
  rig = played();
});
afterEach(() => rig.proxy.leave());

const KINDS = ["allow_once", "allow_always", "reject_once"];
const options = (kinds = KINDS): object[] =>
  kinds.map((kind) => ({ optionId: `id-${kind}`, name: kind, kind }));
const CALL = { toolCallId: "c1", kind: "execute", rawInput: { command: "touch ran" } };
const asks = (id: unknown = 1, toolCall: object = CALL, kinds = KINDS): void =>
  rig.agent({
    id,
    method: "session/request_permission",
    params: { sessionId: "s1", toolCall, options: options(kinds) },
  });
const wants = (method: string, params: object, id: unknown = 1): void =>
  rig.agent({ id, method, params: { sessionId: "s1", ...params } });
const picked = (kind: string) => ({ outcome: { outcome: "selected", optionId: `id-${kind}` } });
const dialogId = (nth = 0): string => textAt(rig.clientHeard()[nth], "id") ?? "";
const says = (result: unknown, nth = 0): void => rig.client({ id: dialogId(nth), result });
const outcome = (message: unknown): unknown =>
  at(message, "result", "outcome", "optionId") ?? at(message, "result", "outcome", "outcome");
const answers = (): readonly unknown[] => rig.agentHeard().map(outcome);

describe("what an agent asks", () => {
  it("PROXY-GATES-1: stands in the editor and in the engine, and an allow that is committed lets it go on", async () => {
    asks("q");
    await settled();
    expect(rig.asked[0]?.note).toMatchObject({ call: "c1-r", tool: "execute", tool_input: CALL.rawInput });
    expect(at(rig.clientHeard()[0], "params", "toolCall")).toEqual(CALL);
    rig.asked[0]?.end({ type: "allow" });
    await settled();
    expect(rig.agentHeard()).toEqual([{ jsonrpc: "2.0", id: "q", result: picked("allow_once") }]);
    expect(rig.asked[0]?.isTaken).toBe(true);
  });

  it("ASKED-3: is never told to allow always, whoever says so", async () => {
    asks();
    await settled();
    expect(at(rig.clientHeard()[0], "params", "options")).toEqual(options(["allow_once", "reject_once"]));
    says(picked("allow_always"));
    await settled();
    expect([rig.agentHeard(), rig.asked[0]?.decisions]).toEqual([[], []]);
    rig.asked[0]?.end({ type: "untaken" });
    await settled();
    expect(answers()).toEqual(["id-reject_once"]);
    asks(2, CALL, ["allow_always", "reject_once"]);
    rig.asked[1]?.end({ type: "allow" });
    await settled();
    expect(answers()).toEqual(["id-reject_once", "id-reject_once"]);
  });

  it("ASKED-3: is not asked where two options have one id, or there are none", async () => {
    const twice = [...options(), { optionId: "id-allow_once", name: "No", kind: "reject_once" }];
    for (const given of [twice, [], undefined, [{ optionId: 1 }]])
      rig.agent({
        id: 1,
        method: "session/request_permission",
        params: { sessionId: "s1", toolCall: CALL, options: given },
      });
    await settled();
    expect([rig.asked.length, rig.clientHeard()]).toEqual([0, []]);
    expect(rig.agentHeard().map((each) => at(each, "error", "code"))).toEqual(Array(4).fill(-32_003));
  });

  it("PROXY-GATES-1: hears of an editor's allow only once it is committed, or where no engine took the question", async () => {
    asks();
    await settled();
    says(picked("allow_once"));
    await settled();
    expect([rig.agentHeard(), rig.asked[0]?.decisions]).toEqual([[], ["approve"]]);
    rig.asked[0]?.end({ type: "allow" });
    await settled();
    asks(2);
    await settled();
    rig.asked[1]?.end({ type: "untaken" });
    await settled();
    expect(rig.agentHeard()).toHaveLength(1);
    says(picked("allow_once"), 1);
    await settled();
    expect([answers(), rig.asked[1]?.decisions]).toEqual([["id-allow_once", "id-allow_once"], []]);
  });

  it("PROXY-GATES-3: is answered by the first that is committed: the editor's dialog is taken back, and its answer not passed on", async () => {
    asks();
    await settled();
    says(picked("allow_once"));
    rig.asked[0]?.end({ type: "deny", message: "No.", interrupt: false });
    await settled();
    expect(answers()).toEqual(["id-reject_once"]);
    asks(2);
    await settled();
    rig.asked[1]?.end({ type: "deny", message: "No.", interrupt: false });
    await settled();
    const [, dialog, withdrawn] = rig.clientHeard();
    expect(withdrawn).toMatchObject({
      method: "$/cancel_request",
      params: { requestId: textAt(dialog, "id") },
    });
    says(picked("allow_once"), 1);
    await settled();
    expect(answers()).toEqual(["id-reject_once", "id-reject_once"]);
  });

  it.each([
    ["an error", { error: { code: -32_601, message: "No such method." } }],
    ["junk", { result: { foo: 1 } }],
    ["an option that was not offered", { result: picked("reject_twice") }],
    ["nothing", { result: null }],
  ])("PROXY-GATES-2: an editor that answers %s allows nothing; the engine still may", async (_, said) => {
    asks();
    asks(2);
    await settled();
    for (const nth of [0, 1]) rig.client({ id: dialogId(nth), ...said });
    await settled();
    expect(rig.agentHeard()).toEqual([]);
    rig.asked[0]?.end({ type: "untaken" });
    rig.asked[1]?.end({ type: "allow" });
    await settled();
    expect(answers()).toEqual(["id-reject_once", "id-allow_once"]);
  });

  it("PROXY-GATES-2: is denied where the engine refuses it, or the answer edits what the protocol cannot hand on", async () => {
    asks();
    asks(2);
    rig.asked[0]?.end({ type: "closed", why: "the engine refused it (413)" });
    rig.asked[1]?.end({ type: "allow", updatedInput: { command: "ls" } });
    await settled();
    expect(answers()).toEqual(["id-reject_once", "id-reject_once"]);
  });

  it("PROXY-GATES-2: is denied at its deadline, if nobody answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      rig = played(1_000);
      asks();
      rig.asked[0]?.end({ type: "untaken" });
      await vi.advanceTimersByTimeAsync(1_001);
      expect(answers()).toEqual(["id-reject_once"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("PROXY-GATES-3: is denied in the editor at once where the engine does not say whose answer counts", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      asks();
      await vi.advanceTimersByTimeAsync(1);
      says(picked("reject_once"));
      await vi.advanceTimersByTimeAsync(1_900);
      expect([answers(), rig.asked[0]?.decisions]).toEqual([[], ["deny"]]);
      await vi.advanceTimersByTimeAsync(200);
      expect(answers()).toEqual(["id-reject_once"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("PROXY-GATES-2: a turn that the editor cancels denies with an interrupt what waits in its session", async () => {
    asks();
    wants("terminal/create", { command: "ls" }, 2);
    await settled();
    rig.client({ method: "session/cancel", params: { sessionId: "s1" } });
    await settled();
    expect(rig.asked.map(({ decisions }) => decisions)).toEqual([["deny!"], ["deny!"]]);
    // Whoever was first: what is cancelled is not allowed any more.
    rig.asked[0]?.end({ type: "allow" });
    rig.asked[1]?.end({ type: "deny", message: "Cancelled.", interrupt: true });
    await settled();
    expect(rig.agentHeard()).toMatchObject([
      { method: "session/cancel" },
      { id: 1, result: { outcome: { outcome: "cancelled" } } },
      { id: 2, error: { code: -32_003 } },
    ]);
  });

  it("PROXY-GATES-2: a denial that interrupts ends the agent's turn", async () => {
    asks();
    rig.asked[0]?.end({ type: "deny", message: "Stop.", interrupt: true });
    await settled();
    expect(rig.agentHeard()).toMatchObject([
      { method: "session/cancel", params: { sessionId: "s1" } },
      { id: 1, result: { outcome: { outcome: "cancelled" } } },
    ]);
  });

  it("PROXY-GATES-4: stands for itself: an id that waits already is not asked about again, a text is no number", async () => {
    asks(1);
    asks("1");
    asks(1, { ...CALL, rawInput: { command: "rm -r /" } });
    await settled();
    expect(rig.asked.map(({ note }) => note.tool_input)).toEqual([CALL.rawInput, CALL.rawInput]);
    rig.asked[1]?.end({ type: "allow" });
    await settled();
    expect(rig.agentHeard().at(-1)).toEqual({ jsonrpc: "2.0", id: "1", result: picked("allow_once") });
  });

  it("PROXY-3: an agent that takes its question back is told so, and the engine hears that nobody waits", async () => {
    asks(7);
    rig.agent({ method: "$/cancel_request", params: { requestId: 7 } });
    await settled();
    expect(rig.agentHeard()).toMatchObject([{ id: 7, error: { code: -32_800 } }]);
    expect(rig.asked[0]?.isLeft).toBe(true);
    says(picked("allow_once"));
    await settled();
    expect(rig.agentHeard()).toHaveLength(1);
  });

  it("PROXY-GATES-2: more than 256 at once are turned away", async () => {
    for (let id = 0; id < 300; id++) asks(id);
    await settled();
    expect([rig.asked.length, rig.agentHeard().length]).toEqual([256, 44]);
  });
});

describe("what an agent has its editor do", () => {
  it.each([
    ["terminal/create", { command: "touch", args: ["ran"], cwd: "/w", env: [{ name: "A", value: "1" }] }],
    ["fs/write_text_file", { path: "/w/ran", content: "x" }],
    ["mcp/message", { connectionId: "m", method: "tools/call" }],
    ["_zed/anything", { a: 1 }],
  ])(
    "ASKED-1, ASKED-2: %s is asked about whole, and done only when it is allowed",
    async (method, params) => {
      wants(method, params, "w");
      await settled();
      expect(rig.asked[0]?.note).toMatchObject({ tool: method, tool_input: params });
      expect(rig.clientHeard().map((each) => textAt(each, "method"))).toEqual(["session/request_permission"]);
      rig.asked[0]?.end({ type: "allow" });
      await settled();
      const done = rig.clientHeard().find((each) => textAt(each, "method") === method);
      expect(done).toMatchObject({ method, params: { sessionId: "s1", ...params } });
      rig.client({ id: textAt(done, "id"), result: { terminalId: "t1" } });
      await settled();
      expect(rig.agentHeard()).toEqual([{ jsonrpc: "2.0", id: "w", result: { terminalId: "t1" } }]);
      expect(rig.notes.at(-1)).toMatchObject({ told: "call", tool: method, status: "completed" });
    },
  );

  it("ASKED-2: an edited input is what the editor does", async () => {
    wants("terminal/create", { command: "rm" });
    rig.asked[0]?.end({ type: "allow", updatedInput: { command: "ls" } });
    await settled();
    expect(rig.clientHeard().at(-1)).toMatchObject({ params: { sessionId: "s1", command: "ls" } });
  });

  it("ASKED-2, PROXY-GATES-2: what is denied never reaches the editor, and the agent is told why", async () => {
    wants("terminal/create", { command: "rm" });
    rig.asked[0]?.end({ type: "deny", message: "Not that.", interrupt: false });
    await settled();
    expect(rig.clientHeard().map((each) => textAt(each, "method"))).not.toContain("terminal/create");
    expect(rig.agentHeard()).toMatchObject([{ id: 1, error: { code: -32_003, message: "Not that." } }]);
    expect(rig.notes.at(-1)).toMatchObject({ told: "call", status: "rejected" });
  });

  it("ASKED-1: what reads, or ends something, passes as it came", async () => {
    for (const method of [
      "fs/read_text_file",
      "terminal/output",
      "terminal/wait_for_exit",
      "terminal/kill",
      "terminal/release",
    ])
      wants(method, { path: "/f" });
    await settled();
    expect([rig.asked.length, rig.clientHeard().length]).toEqual([0, 5]);
  });
});
