// Told alone
// What a door of the client answered without the engine reaches the engine: its approval expires, with that cause, and a
// decision that comes later is late.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canUseTool, type CanUseTool, type ToolUse } from "../../../adapters/agent-sdk.ts";
import { createEngine, type SignalboxEngine } from "../../../adapters/index.ts";
import { canUseTool as callback, claudeCode, permissionAnswer } from "../../../adapters/claude-code/index.ts";
import { askAboutCall, type CallDoor, tellByLine, tellBySpool } from "../../../adapters/gate/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { plainly } from "../../support/http/plainly.ts";

const INPUT = { command: "make deploy" };
const HASH = toolInput(INPUT).hash;
const TOKEN = "the-token-of-this-program";
const never = new AbortController().signal;
const use: ToolUse = { signal: never, toolUseID: "t1" };
const soon = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let dir: string;
let engine: SignalboxEngine;
/** Between the door and the engine. Cut, it refuses whoever asks or waits, and does not answer what else is said. */
let between: Server;
/** The same, at the socket. */
let behind: Server;
let isCut: boolean;
let url: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-alone-"));
  engine = await createEngine({ dataDir: dir, port: 0, token: TOKEN });
  isCut = false;
  const passOn: RequestListener = (request, response) => {
    if (isCut) {
      if (request.method === "DELETE") response.destroy();
      else response.writeHead(401).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "GET", headers } = request;
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      const {
        authorization = `Bearer ${TOKEN}`,
        "content-type": type,
        "signalbox-workspace": workspace,
      } = headers;
      const passed = {
        authorization,
        ...(type !== undefined && { "content-type": type }),
        ...(typeof workspace === "string" && { "signalbox-workspace": workspace }),
      };
      const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
      fetch(`${engine.url}${request.url}`, { method, headers: passed, signal: gone.signal, ...body }).then(
        async (answer) => {
          response.writeHead(answer.status);
          response.end(await answer.text());
        },
        () => response.destroy(),
      );
    });
  };
  between = createServer(passOn);
  behind = createServer(passOn);
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", () => resolve()));
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const server of [between, behind]) {
    server.closeAllConnections();
    server.close();
  }
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

const SOCKET = "engine.sock";
/** The socket that a door finds in the folder leads to the one between. */
async function redirect(): Promise<void> {
  rmSync(join(dir, SOCKET));
  await new Promise<void>((resolve) => behind.listen(join(dir, SOCKET), () => resolve()));
  chmodSync(join(dir, SOCKET), 0o600);
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(`${engine.url}${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  return answer.json();
}
async function approvals(state: string, count = 1): Promise<readonly unknown[]> {
  for (;;) {
    const found = listAt(await read(`/v1/approvals?state=${state}`), "items");
    if (found.length >= count) return found;
    await soon();
  }
}
/** What its asker answered by itself, once that is known. */
async function lapsed(id: string): Promise<unknown> {
  for (;;) {
    const found = at(await read(`/v1/approvals/${id}`), "lapsed");
    if (found !== undefined) return found;
    await soon();
  }
}
const decide = async (id: string, body: object): Promise<unknown> => {
  const answer = await fetch(`${engine.url}/v1/approvals/${id}/decision`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
};

/** Asked, acknowledged, and then without an engine. */
async function closedAlone(door: CanUseTool): Promise<string> {
  const waiting = door("Bash", INPUT, use);
  const [asked] = await approvals("pending");
  isCut = true;
  for (const server of [between, behind]) server.closeAllConnections();
  expect(await waiting).toMatchObject({ behavior: "deny" });
  return textAt(asked, "id") ?? "";
}

describe("GATE-TELLING-1: a door that was acknowledged and answered by itself", () => {
  it("GATE-TELLING-1, AFTERWARDS-1: told at its address, once the engine can be reached again: the approval has that cause", async () => {
    const where = () => Promise.resolve(plainly(url, TOKEN));
    const door: CallDoor = {
      via: "sdk",
      form: claudeCode.gate,
      where,
      timeoutMs: 60_000,
      run: "run-1",
      tell: tellByLine(where),
    };
    const id = await closedAlone(
      callback(
        (call) => askAboutCall(door, call),
        () => "s1",
      ),
    );
    isCut = false;
    expect(await lapsed(id)).toMatchObject({ said: "deny" });
    const late = await decide(id, { decision: "approve", inputHash: HASH });
    expect(late).toMatchObject({ error: { code: expect.any(String) as string } });
    expect(at(await read(`/v1/approvals/${id}`), "state")).not.toBe("approved");
  });

  it("GATE-TELLING-1: by the spool, where the door knows the data folder: of a call whose session it does not know, too", async () => {
    await redirect();
    const door = canUseTool({ dataDir: dir, timeoutMs: 60_000 });
    const id = await closedAlone(door);
    expect(await lapsed(id)).toMatchObject({ said: "deny" });
    expect(listAt(await read("/v1/approvals"), "items")).toHaveLength(1);
    expect(listAt(await read("/v1/sessions"), "items")).toHaveLength(1);
    expect(listAt(await read("/v1/dead-letters"), "items")).toEqual([]);
  });

  it("AFTERWARDS-2: never acknowledged, it is made up for from the spool, in the call's own session, as expired", async () => {
    await redirect();
    isCut = true;
    const where = () => Promise.resolve(plainly(url, TOKEN));
    const door: CallDoor = {
      via: "mcp",
      form: claudeCode.gate,
      where,
      timeoutMs: 60_000,
      run: "run-1",
      tell: tellBySpool(join(dir, "spool"), where),
    };
    const said = await permissionAnswer(
      (call) => askAboutCall(door, call),
      { tool_name: "Bash", input: INPUT, tool_use_id: "t9" },
      never,
    );
    expect(JSON.parse(said)).toMatchObject({ behavior: "deny" });
    const [expired] = await approvals("expired");
    expect(expired).toMatchObject({ sessionId: "run-1", channels: ["gate-mcp"] });
    expect(await lapsed(textAt(expired, "id") ?? "")).toMatchObject({ said: "deny" });
    while (readdirSync(join(dir, "spool")).length > 0) await soon();
  });

  it("GATE-TELLING-1: one whose asker has left is withdrawn, and nothing is said of an answer", async () => {
    await redirect();
    const gone = new AbortController();
    const waiting = canUseTool({ dataDir: dir })("Bash", INPUT, { signal: gone.signal });
    const [asked] = await approvals("pending");
    gone.abort();
    await waiting;
    const [left] = await approvals("withdrawn");
    expect(textAt(left, "id")).toBe(textAt(asked, "id"));
    expect(left).not.toHaveProperty("lapsed");
  });

  it("GATE-TELLING-2, GATE-TELLING-3: a folder no engine has run on is not made; a full spool is left as it is", async () => {
    const other = join(dir, "no-such-folder");
    expect(await canUseTool({ dataDir: other })("Bash", INPUT, use)).toMatchObject({ behavior: "deny" });
    await soon(100);
    expect(readdirSync(dir)).not.toContain("no-such-folder");
    const spool = join(dir, "full");
    mkdirSync(spool);
    for (let n = 0; n < 4_096; n += 1) writeFileSync(join(spool, `${n}-1`), "");
    const tell = tellBySpool(spool, () => Promise.resolve(plainly(url, "none")));
    tell({ id: "q1", body: new Uint8Array(), workspace: undefined, onDeadline: "deny" });
    await soon(200);
    expect(readdirSync(spool)).toHaveLength(4_096);
  });
});
