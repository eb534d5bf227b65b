// Gates of Codex
// Who may answer which command and change of files, what Codex hears of it, and what its client is offered and told.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settled } from "../../../support/agent-proxy/played.ts";
import { codexRig, DENY, IDS } from "../../../support/codex/rig.ts";
import { at, textAt } from "../../../support/engine/json.ts";

let rig: ReturnType<typeof codexRig>;
beforeEach(() => {
  rig = codexRig();
});
afterEach(() => rig.proxy.leave());

const COMMAND = "item/commandExecution/requestApproval";
const command = { itemId: "call_1", command: "touch ran", cwd: "/w", environmentId: "local" };
const FILES = "item/fileChange/requestApproval";
const changes = [{ path: "/w/ran", kind: { type: "add" }, diff: "x\n" }];
const asksCommand = (id: unknown = 0): void => rig.asks(COMMAND, command, id);

describe("a command", () => {
  it("PROXY-GATES-1, CODEX-ASKED-2: stands in the client and in the engine, and an allow that is committed lets it run once", async () => {
    rig.item({ type: "commandExecution", command: "touch ran", cwd: "/w", status: "inProgress" });
    rig.asks(COMMAND, {
      ...command,
      startedAtMs: 1,
      reason: "To try.",
      commandActions: [{ type: "unknown" }],
    });
    await settled();
    expect(rig.asked[0]?.note).toMatchObject({
      ...{ call: "call_1-r", tool: "commandExecution" },
      tool_input: { command: "touch ran", cwd: "/w", environmentId: "local", reason: "To try." },
    });
    expect(rig.dialog()).toMatchObject({ method: COMMAND, params: { ...IDS, ...command } });
    await rig.ends(0, { type: "allow" });
    expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "accept" } }]);
  });

  it("CODEX-ASKED-3, CODEX-ANSWERS-1: for the session or by an amendment it is neither offered nor had", async () => {
    const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } };
    const network = {
      applyNetworkPolicyAmendment: { network_policy_amendment: { host: "x", action: "allow" } },
    };
    const offered = ["accept", "acceptForSession", amendment, network, "decline", "cancel"];
    const proposed = {
      proposedExecpolicyAmendment: ["touch"],
      proposedNetworkPolicyAmendments: [{ host: "x" }],
    };
    rig.asks(COMMAND, { ...command, ...proposed, availableDecisions: offered });
    await settled();
    expect(at(rig.dialog(), "params", "availableDecisions")).toEqual(["accept", "decline", "cancel"]);
    expect(JSON.stringify(rig.dialog())).not.toContain("roposed");
    for (const decision of ["acceptForSession", amendment, network, "Accept", ["accept"], null]) {
      asksCommand(1);
      await settled();
      const nth = rig.asked.length - 1;
      rig.says({ decision }, nth);
      await settled();
      expect([rig.agentHeard(), rig.asked[nth]?.decisions]).toEqual([[], []]);
      rig.agent({ method: "serverRequest/resolved", params: { threadId: "t1", requestId: 1 } });
    }
  });

  it("PROXY-GATES-1, PROXY-GATES-2: a client's allow counts once it is committed; alone, only where no engine took the question", async () => {
    asksCommand();
    await settled();
    rig.says({ decision: "accept" });
    await settled();
    expect([rig.agentHeard(), rig.asked[0]?.decisions]).toEqual([[], ["approve"]]);
    await rig.ends(0, DENY);
    expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "decline" } }]);
    asksCommand(1);
    await rig.ends(1, { type: "untaken" });
    rig.says({ decision: "accept" }, 1);
    await settled();
    expect(rig.agentHeard().at(-1)).toEqual({ id: 1, result: { decision: "accept" } });
  });

  it.each([
    ["an error", { error: { code: -32_601, message: "No such method." } }],
    ["junk", { result: { foo: 1 } }],
    ["nothing", { result: null }],
  ])(
    "PROXY-GATES-2: a client that answers %s allows nothing, with an engine or without one",
    async (_, said) => {
      asksCommand();
      await settled();
      rig.client({ id: textAt(rig.dialog(), "id"), ...said });
      await settled();
      expect(rig.agentHeard()).toEqual([]);
      await rig.ends(0, { type: "untaken" });
      expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "decline" } }]);
    },
  );

  it("PROXY-GATES-2: cancel denies with an interrupt, in the client and in Signalbox", async () => {
    asksCommand();
    await settled();
    rig.says({ decision: "cancel" });
    await rig.ends(0, { type: "deny", message: "", interrupt: true });
    expect([rig.agentHeard(), rig.asked[0]?.decisions]).toEqual([
      [{ id: 0, result: { decision: "cancel" } }],
      ["deny!"],
    ]);
    asksCommand(1);
    await rig.ends(1, { type: "deny", message: "", interrupt: true });
    expect(rig.agentHeard().at(-1)).toEqual({ id: 1, result: { decision: "cancel" } });
  });

  it("CODEX-PROTOCOL-1, PROXY-GATES-3: its dialog is ended by the word of Codex, under the id that the client knows", async () => {
    asksCommand(7);
    await rig.ends(0, { type: "allow" });
    rig.agent({ method: "serverRequest/resolved", params: { threadId: "t1", requestId: 7 } });
    await settled();
    const told = {
      method: "serverRequest/resolved",
      params: { threadId: "t1", requestId: textAt(rig.dialog(), "id") },
    };
    expect(rig.clientHeard().at(-1)).toEqual(told);
    rig.says({ decision: "decline" });
    await settled();
    expect(rig.agentHeard()).toHaveLength(1);
    // One that is not the proxy's passes as it came.
    const other = { method: "serverRequest/resolved", params: { threadId: "t1", requestId: 8 } };
    rig.agent(other);
    await settled();
    expect(rig.clientHeard().at(-1)).toEqual(other);
  });

  it("PROXY-3, CODEX-PROTOCOL-1: a request that Codex itself ends waits no more, and nobody answers it", async () => {
    asksCommand(7);
    await settled();
    rig.agent({ method: "serverRequest/resolved", params: { threadId: "t1", requestId: 7 } });
    await rig.ends(0, { type: "allow" });
    expect([rig.agentHeard(), rig.asked[0]?.isLeft]).toEqual([[], true]);
  });

  it("PROXY-GATES-2: a turn that the client interrupts denies what waits in its thread", async () => {
    asksCommand();
    rig.asks(COMMAND, { ...command, threadId: "t2" }, 1);
    await settled();
    rig.client({ id: 9, method: "turn/interrupt", params: IDS });
    await settled();
    expect(rig.asked.map(({ decisions }) => decisions)).toEqual([["deny!"], []]);
    expect(rig.agentHeard()).toEqual([{ id: 9, method: "turn/interrupt", params: IDS }]);
  });

  it("CODEX-ASKED-2: of one item, what has an id of its own is a call of its own", async () => {
    rig.item({ type: "commandExecution", command: "make", cwd: "/w" });
    rig.asks(COMMAND, { ...command, kind: "writeStdin", approvalId: "a1", command: "yes\n" });
    await rig.ends(0, { type: "allow" });
    const { call, tool_input: input } = rig.asked[0]?.note ?? {};
    expect([call, input]).toEqual(["request-r-1", expect.objectContaining({ kind: "writeStdin" })]);
    expect(rig.notes.at(-1)).toMatchObject({ told: "call", call: "request-r-1", status: "completed" });
  });
});

describe("a change of files", () => {
  it("CODEX-ASKED-2: is asked about with the changes that its item told last", async () => {
    rig.item({ type: "fileChange", changes: [], status: "inProgress" });
    rig.tells("item/fileChange/patchUpdated", { itemId: "call_1", changes });
    rig.asks(FILES, { itemId: "call_1", reason: null, grantRoot: null });
    await settled();
    expect(rig.asked[0]?.note).toMatchObject({
      call: "call_1-r",
      tool: "fileChange",
      tool_input: { changes },
    });
    await rig.ends(0, { type: "allow" });
    expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "accept" } }]);
  });

  it.each([
    ["item/fileChange/patchUpdated", (id: string, changes: object) => ({ itemId: id, changes })],
    ["item/started", (id: string, changes: object) => ({ item: { type: "fileChange", id, changes } })],
    ["item/completed", (id: string, changes: object) => ({ item: { type: "fileChange", id, changes } })],
  ])(
    "CODEX-ASKED-2: is denied if its item reports other changes by %s while it waits, and not if it repeats the same",
    async (method, report) => {
      rig.item({ type: "fileChange", changes, status: "inProgress" });
      rig.asks(FILES, { itemId: "call_1" });
      await settled();
      rig.tells(method, report("call_1", structuredClone(changes)));
      rig.tells(method, report("call_2", []));
      await settled();
      expect(rig.agentHeard()).toEqual([]);
      rig.tells(method, report("call_1", [...changes, { ...changes[0], path: "/w/.git/config" }]));
      await settled();
      expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "decline" } }]);
      await rig.ends(0, { type: "allow" });
      expect(rig.agentHeard()).toEqual([{ id: 0, result: { decision: "decline" } }]);
    },
  );

  it("CODEX-ASKED-2: is turned away where no changes were told", async () => {
    rig.asks(FILES, { itemId: "call_1" });
    await settled();
    expect([rig.asked.length, rig.dialog()]).toEqual([0, undefined]);
    expect(rig.agentHeard()).toMatchObject([{ id: 0, error: { code: -32_003 } }]);
  });

  it("CODEX-ANSWERS-1: and a command are answered in the words of the first version where they are asked so", async () => {
    const ids = { conversationId: "t1", callId: "c1" };
    rig.agent({ id: 1, method: "execCommandApproval", params: { ...ids, command: ["ls"], cwd: "/w" } });
    rig.agent({
      id: 2,
      method: "applyPatchApproval",
      params: { ...ids, callId: "c2", fileChanges: { "/a": {} } },
    });
    await settled();
    expect(rig.asked.map(({ note }) => note.tool_input)).toEqual([
      { command: ["ls"], cwd: "/w" },
      { fileChanges: { "/a": {} } },
    ]);
    rig.says({ decision: "approved_for_session" });
    rig.says({ decision: "approved" }, 1);
    await rig.ends(0, { type: "deny", message: "", interrupt: true });
    await rig.ends(1, { type: "allow" });
    expect([rig.agentHeard(), rig.asked.map(({ decisions }) => decisions)]).toEqual([
      [
        { id: 1, result: { decision: "abort" } },
        { id: 2, result: { decision: "approved" } },
      ],
      [[], ["approve"]],
    ]);
  });
});
