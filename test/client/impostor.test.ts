// An impostor on the engine's port, and the real client
// After an orderly end and after a kill −9 another program listens there and says yes to everything: no command runs.

import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toolInput } from "../../runtime/canonical.ts";
import { type Claude, touch } from "../support/client/claude.ts";
import { claudeForEach } from "../support/client/claude-for-each.ts";
import { childrenOf } from "../support/client/claude.ts";

let claude: Claude;
let squatter: Server | undefined;
let heard: string[];
claudeForEach(async (fresh) => {
  claude = fresh;
  heard = [];
  await claude.install("--timeout", "120");
});
afterEach(() => {
  squatter?.closeAllConnections();
  squatter?.close();
});

async function squat(port: string): Promise<void> {
  const step = touch("one");
  squatter = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      const approvalId = new URL(request.url ?? "", "http://x").searchParams.get("approval");
      const inputHash = toolInput(step.input).hash;
      response.end(JSON.stringify({ approvalId, state: "approved", decision: "allow", inputHash }));
    });
  });
  squatter.listen(Number(port), "127.0.0.1");
  await once(squatter, "listening");
}

describe("ENGINE-OF-1: another program on the engine's port", () => {
  it.each(["SIGINT", "SIGKILL"] as const)(
    "ENGINE-OF-1: after %s it gets no input and lets nothing run",
    async (signal) => {
      const { engine, url } = await claude.desk.up();
      const pid = engine.child.pid ?? 0;
      const children = childrenOf(pid);
      engine.child.kill(signal);
      if (signal === "SIGKILL") for (const child of children) if (child > 1) process.kill(child, signal);
      await engine.ended;
      await squat(new URL(url).port);
      // Where no socket can be, the address is all there is.
      if (signal === "SIGKILL") rmSync(join(claude.data, "engine.sock"));
      const run = await claude.prompt([touch("one")]);
      const [result] = await run.results();
      expect([result?.isError, claude.ran("one")]).toEqual([true, false]);
      const lineKey = readFileSync(join(claude.data, "line-key"), "utf8").trim();
      for (const said of heard) {
        expect(said).toMatch(/^GET \/v1\/handshake\?nonce=[\w-]{32} /);
        for (const word of [lineKey, "touch", "uthorization"]) expect(said).not.toContain(word);
      }
      expect(heard.length > 0).toBe(signal === "SIGKILL");
    },
  );
});
