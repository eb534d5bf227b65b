// The client's other doors
// The Agent SDK's callback and the permission tool, against a real engine over HTTP: what they say for each answer, and
// for none.

import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  canUseTool as publicDoor,
  type CanUseTool,
  type PermissionResult,
  RefusedError,
  type ToolUse,
} from "../../../adapters/agent-sdk.ts";
import { canUseTool as callback, claudeCode, permissionAnswer } from "../../../adapters/claude-code/index.ts";
import { askAboutCall, type CallDoor } from "../../../adapters/gate/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import type { Exchange } from "../../../runtime/line/exchange.ts";
import { HANDSHAKE_ROUTE } from "../../../runtime/line/handshake.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { type Change, keyedEngine } from "../../support/http/keyed-engine.ts";
import { serve, type Served, TOKEN } from "../../support/http/served.ts";
import { withToken } from "../../../adapters/line/index.ts";

let served: Served;
let door: CanUseTool;
beforeEach(async () => {
  served = await serve();
  door = publicDoor({ url: served.url, token: TOKEN, session: () => "s1", workspace: "shop" });
});
afterEach(() => served.stop());

const INPUT = { command: "make deploy" };
const HASH = toolInput(INPUT).hash;
const never = new AbortController().signal;
const use: ToolUse = { signal: never };
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function asked(): Promise<string> {
  for (;;) {
    const [found] = listAt((await served.get("/v1/approvals?state=pending")).body, "items");
    if (found !== undefined) return textAt(found, "id") ?? "";
    await tick();
  }
}
/** The reason of a denial. */
const message = async (given: CanUseTool, input: Record<string, unknown> = INPUT): Promise<unknown> => {
  const result: PermissionResult = await given("Bash", input, use);
  expect(result.behavior).toBe("deny");
  return "message" in result ? result.message : "";
};
const decide = async (body: object): Promise<unknown> =>
  (await served.post(`/v1/approvals/${await asked()}/decision`, body)).body;
const allowed = (path: string): object => ({
  approvalId: new URL(path, "http://box").searchParams.get("approval"),
  state: "approved",
  decision: "allow",
  inputHash: HASH,
});
/** What is said of a call whose engine is this program. */
async function toldBy(listener: RequestListener): Promise<unknown> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  try {
    const { port } = server.address() as AddressInfo;
    return await message(publicDoor({ url: `http://127.0.0.1:${port}`, token: TOKEN }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const doorTo = (exchange: Exchange) => ({
  where: () => Promise.resolve(exchange),
  timeoutMs: 60_000,
  run: "run-1",
  tell: () => undefined,
});
const shown = async (id: string): Promise<unknown> => (await served.get(`/v1/approvals/${id}`)).body;

describe("I-39: canUseTool", () => {
  it("I-39, CAN-USE-TOOL-1: allows the very input that was asked about, whatever becomes of the caller's object", async () => {
    const input = { ...INPUT };
    const waiting = door("Bash", input, { signal: never, toolUseID: "t1", agentID: "a1" });
    input.command = "rm -r /";
    const id = await asked();
    expect(await shown(id)).toMatchObject({
      sessionId: "s1",
      workspace: "shop",
      agentId: "a1",
      tool: "Bash",
      input: INPUT,
      channels: ["gate-sdk"],
    });
    await decide({ decision: "approve", inputHash: HASH });
    expect(await waiting).toEqual({ behavior: "allow", updatedInput: INPUT, toolUseID: "t1" });
  });

  it("I-39: an edited input, a message and an interrupt each reach the SDK as they were given", async () => {
    const first = door("Bash", INPUT, use);
    const updatedInput = { command: "make deploy --dry-run" };
    await decide({ decision: "approve", inputHash: HASH, updatedInput });
    expect(await first).toEqual({ behavior: "allow", updatedInput });
    const second = door("Bash", INPUT, use);
    await decide({ decision: "deny", message: "not today", interrupt: true });
    expect(await second).toEqual({ behavior: "deny", message: "not today", interrupt: true });
  });

  it("GATE-LINE-3, GATE-GATE-4: where the SDK lets go of the question, it is withdrawn, and nothing is allowed", async () => {
    const gone = new AbortController();
    const waiting = door("Bash", INPUT, { signal: gone.signal });
    const id = await asked();
    gone.abort();
    expect(await waiting).toMatchObject({ behavior: "deny" });
    while (at(await shown(id), "state") !== "withdrawn") {
      served.clock.advance(1_000);
      await tick();
    }
    expect(await door("Bash", INPUT, { signal: gone.signal })).toMatchObject({ behavior: "deny" });
  });

  it("GATE-CALL-1, CAN-USE-TOOL-2: without an engine, with a wrong token, or an input that cannot be told, it denies and says why", async () => {
    expect(await message(publicDoor({ url: "http://127.0.0.1:9", token: TOKEN }))).toMatch(/no engine took/);
    expect(await message(publicDoor({ dataDir: "/nowhere/at/all" }))).toMatch(/no engine has run/);
    expect(await message(publicDoor({ url: served.url, token: "none" }))).toMatch(/does not know this token/);
    expect(await message(door, { run: () => undefined })).toMatch(/cannot be shown/);
    expect(await message(door, { n: 1n })).toMatch(/gave no answer/);
    expect(() => publicDoor({ url: served.url })).toThrow(RefusedError);
    expect(() => publicDoor({ url: "ftp://box", token: TOKEN })).toThrow(RefusedError);
    expect(() => publicDoor({ timeoutMs: 0 })).toThrow(RefusedError);
  });

  it.each([
    ["of this approval for another input", (asked: string) => asked, /another input/],
    ["of another approval", () => "a_0", /no engine took/],
  ])("GATE-WAITING-2: an engine that tells %s allows nothing", async (_, idFor, why) => {
    const liar: Exchange = ({ path }) => {
      const approvalId = idFor(new URL(path, "http://box").searchParams.get("approval") ?? "");
      const told = { approvalId, state: "approved", decision: "allow", inputHash: "0".repeat(64) };
      return Promise.resolve({ status: 200, body: Readable.from([Buffer.from(JSON.stringify(told))]) });
    };
    const lied = { ...doorTo(liar), via: "sdk", form: claudeCode.gate, cwd: "/" } as const;
    expect(
      await message(
        callback(
          (call) => askAboutCall(lied, call),
          () => "s1",
        ),
      ),
    ).toMatch(why);
  });

  it("OVER-TCP-4, CAN-USE-TOOL-2: a program on the engine's port that answers all right is told nothing, and allows nothing", async () => {
    const heard: string[] = [];
    const guessing = keyedEngine("another-token", (said) => said, allowed);
    const misled = await toldBy((request, response) => {
      request.on("data", (chunk: Buffer) => heard.push(chunk.toString()));
      heard.push(request.url ?? "", ...request.rawHeaders);
      guessing(request, response);
    });
    expect(misled).toMatch(/no engine took/);
    expect(heard.join(" ")).toContain(`${HANDSHAKE_ROUTE}?nonce=`);
    for (const secret of [TOKEN, "make deploy", "uthorization", HASH])
      expect(heard.join(" ")).not.toContain(secret);
  });

  it("OVER-TCP-3, CAN-USE-TOOL-2: an answer that was changed after its proof was made allows nothing", async () => {
    const denied = (path: string): object => ({ ...allowed(path), decision: "deny" });
    const asEngine = (change: Change) => toldBy(keyedEngine(TOKEN, change, denied));
    expect(await asEngine((said) => said)).not.toMatch(/no engine took/);
    const changed = (text: string): string => text.replace('"deny"', '"allow"');
    const changes: readonly Change[] = [
      (said) => ({ ...said, text: changed(said.text) }),
      (said) => ({ ...said, text: changed(said.text), shown: "" }),
    ];
    for (const change of changes) expect(await asEngine(change)).toMatch(/no engine took/);
  });

  it("ENGINE-OF-1, DATA-FOLDER-OWNERSHIP-4: a data folder that others can enter leads to no engine, and allows nothing", async () => {
    const dir = mkdtempSync(join(tmpdir(), "signalbox-open-"));
    const [socket, heard] = [createServer(), [] as string[]];
    try {
      socket.on("request", ({ url }) => heard.push(url ?? ""));
      await new Promise<void>((resolve) => socket.listen(join(dir, "engine.sock"), resolve));
      chmodSync(join(dir, "engine.sock"), 0o600);
      writeFileSync(join(dir, "line-key"), `${"k".repeat(43)}\n`, { mode: 0o600 });
      const { mode } = statSync(dir);
      chmodSync(dir, mode | 0o070);
      expect(await message(publicDoor({ dataDir: dir }))).toMatch(/Other users have access to.*[^.]\.$/);
      expect(heard).toEqual([]);
    } finally {
      socket.close();
      rmSync(dir, { recursive: true });
    }
  });

  it("GATE-CALL-2: unanswered at its deadline it denies", async () => {
    const brief = publicDoor({ url: served.url, token: TOKEN, session: "s1", timeoutMs: 300 });
    expect(await message(brief)).toMatch(/gave no answer/);
  });
});

describe("I-39: the permission tool", () => {
  const at_ = (): CallDoor => ({
    ...doorTo(withToken(served.url, TOKEN)),
    via: "mcp",
    form: claudeCode.gate,
    run: "run-1",
    workspace: "shop",
  });
  const ask = async (given: unknown): Promise<unknown> =>
    JSON.parse(await permissionAnswer((call) => askAboutCall(at_(), call), given, never));

  it("I-39: says allow with the input, or deny with the words, as the client reads them", async () => {
    const first = ask({ tool_name: "Bash", input: INPUT });
    await decide({ decision: "approve", inputHash: HASH });
    expect(await first).toEqual({ behavior: "allow", updatedInput: INPUT });
    const second = ask({ tool_name: "Bash", input: INPUT });
    await decide({ decision: "deny", message: "no", interrupt: true });
    expect(await second).toEqual({ behavior: "deny", message: "no", interrupt: true });
  });

  it("PERMISSION-TOOL-1: denies what it does not understand", async () => {
    for (const given of [undefined, null, [], "Bash", { tool_name: "Bash" }, { tool_name: 7, input: {} }])
      expect(await ask(given)).toMatchObject({ behavior: "deny" });
    expect(listAt((await served.get("/v1/approvals")).body, "items")).toEqual([]);
  });
});
