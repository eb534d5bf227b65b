// Asked by Codex
// Permissions, tools and all other requests: what is asked about, what passes, and what a client's answers mean.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settled } from "../../../support/agent-proxy/played.ts";
import { codexRig, DENY, IDS } from "../../../support/codex/rig.ts";
import { at } from "../../../support/engine/json.ts";

let rig: ReturnType<typeof codexRig>;
beforeEach(() => {
  rig = codexRig();
});
afterEach(() => rig.proxy.leave());

const COMMAND = "item/commandExecution/requestApproval";
const command = { itemId: "call_1", command: "touch ran", cwd: "/w", environmentId: "local" };
const PERMISSIONS = "item/permissions/requestApproval";
const ELICITATION = "mcpServer/elicitation/request";

describe("permissions", () => {
  const permissions = { network: { enabled: true }, fileSystem: { read: null, write: ["/other"] } };
  const wanted = { network: { enabled: true }, fileSystem: { write: ["/other"] } };
  const request = { itemId: "call_1", cwd: "/w", reason: "x", permissions };

  it("CODEX-ASKED-3: are granted whole, for the turn, or not at all", async () => {
    rig.asks(PERMISSIONS, request);
    rig.asks(PERMISSIONS, request, 1);
    await settled();
    expect(rig.asked[0]?.note).toMatchObject({ tool: "permissions", tool_input: { permissions } });
    await rig.ends(0, { type: "allow" });
    await rig.ends(1, { type: "deny", message: "", interrupt: true });
    expect(rig.agentHeard()).toMatchObject([
      { id: 0, result: { permissions: wanted, scope: "turn" } },
      { method: "turn/interrupt", params: IDS },
      { id: 1, result: { permissions: {}, scope: "turn" } },
    ]);
    // What Codex answers to the proxy's own request is not the client's.
    const before = rig.clientHeard().length;
    rig.agent({ id: at(rig.agentHeard()[1], "id"), result: {} });
    await settled();
    expect(rig.clientHeard()).toHaveLength(before);
  });

  it.each([
    ["the same, for the turn", { permissions: wanted, scope: "turn" }, ["approve"]],
    ["none", { permissions: {}, scope: "turn" }, ["deny"]],
    ["the same, for the session", { permissions: wanted, scope: "session" }, []],
    [
      "others",
      { permissions: { network: { enabled: true }, fileSystem: { write: ["/"] } }, scope: "turn" },
      [],
    ],
    ["a part of them", { permissions: { network: { enabled: true } }, scope: "turn" }, []],
    ["no scope", { permissions: wanted }, []],
  ])("CODEX-ANSWERS-1: a client that grants %s is heard as that", async (_, said, decisions) => {
    rig.asks(PERMISSIONS, request);
    await settled();
    rig.says(said);
    await settled();
    expect(rig.asked[0]?.decisions).toEqual(decisions);
  });
});

describe("a tool of a server", () => {
  const meta = { codex_approval_kind: "mcp_tool_call", persist: ["session", "always"], tool_name: "rm" };
  const request = {
    serverName: "x",
    mode: "form",
    _meta: { ...meta, tool_params: { a: "b" } },
    message: "Allow?",
  };
  const call = { type: "mcpToolCall", server: "x", tool: "rm", arguments: { a: "b" }, status: "inProgress" };

  it("CODEX-ASKED-1, CODEX-ASKED-3: is asked about as the call that waits, and never allowed for longer", async () => {
    rig.item(call);
    rig.asks(ELICITATION, request);
    await settled();
    expect(rig.asked[0]?.note).toMatchObject({
      call: "call_1-r",
      tool: "mcp__x__rm",
      tool_input: { a: "b" },
    });
    expect(JSON.stringify(rig.dialog())).not.toContain("persist");
    rig.says({ action: "accept", content: {}, _meta: { persist: "always" } });
    await settled();
    expect(rig.asked[0]?.decisions).toEqual([]);
    await rig.ends(0, { type: "allow" });
    expect(rig.agentHeard()).toEqual([{ id: 0, result: { action: "accept", content: {}, _meta: null } }]);
  });

  it("CODEX-ASKED-1: is a call of its own where none waits that is the same, and a server's own question passes", async () => {
    rig.item({ ...call, arguments: { a: "c" } });
    rig.asks(ELICITATION, request);
    rig.asks(ELICITATION, { ...request, _meta: null }, 1);
    await settled();
    expect(rig.asked.map(({ note }) => note.call)).toEqual(["request-r-1"]);
    expect(rig.clientHeard().at(-1)).toMatchObject({ id: 1, method: ELICITATION });
    await rig.ends(0, { type: "deny", message: "", interrupt: false });
    expect(rig.agentHeard()).toMatchObject([{ id: 0, result: { action: "decline" } }]);
  });

  it("PROXY-1: that is called with a number beyond all is turned away, and the proxy goes on", async () => {
    rig.item(call);
    const line = JSON.stringify({ method: ELICITATION, id: 0, params: { ...IDS, ...request } });
    rig.proxy.agentSaid(Buffer.from(`${line.replace('{"a":"b"}', '{"a":1e400}')}\n`));
    await settled();
    expect([rig.asked.length, rig.dialog()]).toEqual([0, undefined]);
    expect(rig.agentHeard()).toMatchObject([{ id: 0, error: { code: -32_003 } }]);
    rig.asks(ELICITATION, request, 1);
    await settled();
    expect(rig.asked).toHaveLength(1);
  });

  it("CODEX-ASKED-1: that the client has is called once it is allowed, with the input that was shown", async () => {
    const params = { callId: "d1", namespace: null, tool: "open", arguments: { path: "/a" } };
    rig.asks("item/tool/call", params);
    await settled();
    expect([rig.clientHeard(), rig.asked[0]?.note.tool_input]).toEqual([[], params]);
    await rig.ends(0, { type: "allow" });
    expect(rig.dialog()).toMatchObject({ method: "item/tool/call", params: { ...IDS, ...params } });
    rig.says({ contentItems: [], success: true });
    await settled();
    expect(rig.agentHeard()).toEqual([{ id: 0, result: { contentItems: [], success: true } }]);
  });

  it("PROXY-GATES-2: that the client has is not called where no engine takes the question", async () => {
    rig.asks("item/tool/call", { callId: "d1", tool: "open", arguments: {} });
    await rig.ends(0, { type: "untaken" });
    expect([rig.dialog(), rig.agentHeard()]).toMatchObject([
      undefined,
      [{ id: 0, error: { code: -32_003, message: expect.stringContaining("No engine") as string } }],
    ]);
  });
});

describe("other requests", () => {
  it.each([
    ["account/chatgptAuthTokens/refresh", { reason: "unauthorized" }],
    ["attestation/generate", {}],
    ["item/tool/requestUserInput", { itemId: "i", questions: [{ id: "color", question: "Which?" }] }],
  ])("CODEX-ASKED-1: %s passes as it came", async (method, params) => {
    rig.asks(method, params, "x");
    await settled();
    expect([rig.asked.length, rig.clientHeard()]).toMatchObject([0, [{ id: "x", method }]]);
  });

  it.each([
    ["item/tool/requestUserInput", { itemId: "i", questions: [{ id: "mcp_tool_call_approval_call_1" }] }],
    ["item/anything/new", { a: 1 }],
    ["toString", { a: 1 }],
  ])("CODEX-ASKED-1: %s is held until it is allowed", async (method, params) => {
    rig.asks(method, params);
    await settled();
    expect([rig.clientHeard(), rig.asked[0]?.note]).toMatchObject([[], { tool: method, tool_input: params }]);
    await rig.ends(0, DENY);
    expect([rig.clientHeard(), rig.agentHeard()]).toMatchObject([[], [{ id: 0, error: { code: -32_003 } }]]);
  });

  it("CODEX-ASKED-1: what names no thread, or comes without an id, goes no further", async () => {
    rig.agent({ id: 1, method: "item/anything/new", params: {} });
    rig.tells(COMMAND, command);
    rig.tells("item/tool/call", {});
    await settled();
    expect([rig.asked.length, rig.clientHeard(), rig.said.length]).toEqual([0, [], 3]);
  });
});
