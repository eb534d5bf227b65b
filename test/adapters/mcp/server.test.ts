// MCP server
// What a client is answered, line by line, and what becomes of calls nobody waits for.

import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveTool } from "../../../adapters/mcp/index.ts";
import { at } from "../../support/engine/json.ts";

const TOOL = { name: "approve", description: "Asks.", inputSchema: { type: "object" } };

let input: PassThrough;
let ended: Promise<void>;
let lines: unknown[];
/** The calls under way: what was given, and how each may end. */
let calls: { given: unknown; gone: AbortSignal; answer: (text: string) => void }[];

beforeEach(() => {
  [input, lines, calls] = [new PassThrough(), [], []];
  ended = serveTool({
    tool: TOOL,
    version: "1.2.3",
    input,
    write: (line) => void lines.push(JSON.parse(line)),
    call: (given, gone) => new Promise((answer) => calls.push({ given, gone, answer })),
  });
});
afterEach(async () => {
  input.end();
  await ended;
});

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
async function say(...messages: readonly unknown[]): Promise<void> {
  for (const each of messages) input.write(`${typeof each === "string" ? each : JSON.stringify(each)}\n`);
  await tick();
}
const call = (id: number | string, name = "approve"): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: { tool_name: "Bash", input: { command: "ls" }, tool_use_id: `t${id}` } },
});

describe("I-39: the permission tool's server", () => {
  it("I-39: greets a client in its own version of the protocol, and lists its one tool", async () => {
    await say(
      { jsonrpc: "2.0", id: "probe-1", method: "server/discover", params: {} },
      { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-06-18" } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    );
    expect(lines).toMatchObject([
      { id: "probe-1", error: { code: -32_601 } },
      { id: 0, result: { protocolVersion: "2025-06-18", serverInfo: { version: "1.2.3" } } },
      { id: 1, result: { tools: [TOOL] } },
      { id: 2, result: {} },
    ]);
  });

  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2999-01-01", "2025-11-25"],
    ["", "2025-11-25"],
    [7, "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("MCP-SERVER-3: a client that names the version %j gets %j", async (protocolVersion, expected) => {
    await say({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion } });
    expect(at(lines[0], "result", "protocolVersion")).toBe(expected);
  });

  it("I-39: several calls wait at once; each is answered with its own answer, in any order", async () => {
    await say(call(1), call("two"));
    expect(calls.map(({ given }) => at(given, "tool_use_id"))).toEqual(["t1", "ttwo"]);
    calls[1]?.answer("second");
    await tick();
    calls[0]?.answer("first");
    await tick();
    expect(lines).toEqual([
      { jsonrpc: "2.0", id: "two", result: { content: [{ type: "text", text: "second" }] } },
      { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "first" }] } },
    ]);
  });

  it("MCP-SERVER-1: a call that is cancelled is told so, and not answered; so are all when the client closes its end", async () => {
    await say(call(1), call(2), {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    expect(calls.map(({ gone }) => gone.aborted)).toEqual([true, false]);
    input.end();
    await ended;
    expect(calls.map(({ gone }) => gone.aborted)).toEqual([true, true]);
    for (const { answer } of calls) answer("late");
    await tick();
    expect(lines).toEqual([]);
  });

  it("MCP-SERVER-2: what is no message, and an unknown tool, is an error each; the next message is answered", async () => {
    await say("no JSON", "[]", "7", { jsonrpc: "2.0", id: 3, result: {} }, call(4, "other"), {
      jsonrpc: "2.0",
      id: 5,
      method: "ping",
    });
    expect(lines.map((each) => [at(each, "id"), at(each, "error", "code")])).toEqual([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [4, -32_602],
      [5, undefined],
    ]);
    expect(calls).toEqual([]);
  });
});
