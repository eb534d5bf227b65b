// Gate rows
// What the client's hook that waits costs by itself: it asks, is told "approved" at once, and prints that.
//
//   Baseline: a Node that does nothing. The figure is what the hook takes on top of it.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { toolInput } from "../../runtime/canonical.ts";
import type { Effort } from "../effort.ts";
import { inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const LIMIT_MS = 60;
const INPUT = { command: "make deploy" };
const PAYLOAD = JSON.stringify({
  session_id: "s1",
  cwd: "/home/dev/shop",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: INPUT,
});
/** Tells on a pipe of its own what the process has used. */
const TELLING =
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); require("fs").writeSync(3, `${user + system}`); });';

interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}

function spend(args: readonly string[], mustPrint: string): Promise<Spent> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore", "pipe"] });
  const heard = { out: "", used: "" };
  child.stdout?.on("data", (chunk: Buffer) => (heard.out += chunk.toString()));
  child.stdio[3]?.on("data", (chunk: Buffer) => (heard.used += chunk.toString()));
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(PAYLOAD);
  return new Promise((resolve, reject) => {
    child.once("close", () => {
      const { out, used } = heard;
      if (out.includes(mustPrint))
        resolve({ wallMs: performance.now() - startedAt, cpuMs: Number(used) / 1_000 });
      else reject(new Error(`The gate printed "${out}".`));
    });
  });
}

export async function gateRows(effort: Effort): Promise<readonly Row[]> {
  const dir = scratchFolder();
  const [program, telling] = [join(dir, "gate.cjs"), join(dir, "telling.cjs")];
  const entry = join(import.meta.dirname, "..", "..", "adapters", "gate-main.js");
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: program,
    logLevel: "error",
  });
  writeFileSync(telling, TELLING);
  const allowed = { state: "approved", decision: "allow", inputHash: toolInput(INPUT).hash };
  const server = createServer((request, response) => {
    const approvalId = new URL(request.url ?? "", "http://engine").searchParams.get("approval");
    request
      .resume()
      .once("end", () =>
        response
          .writeHead(200, { "Content-Type": "application/json" })
          .end(JSON.stringify({ approvalId, ...allowed })),
      );
  });
  const data = join(dir, "data");
  mkdirSync(data, { mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(join(data, "engine.sock"), () => resolve()));
  chmodSync(join(data, "engine.sock"), 0o600);
  writeFileSync(join(data, "line-key"), `${"t".repeat(43)}\n`, { mode: 0o600 });
  const gate = ["-r", telling, program, "--data", data, "--timeout", "60", "--proof", "1"];
  const bare = ["-r", telling, "-e", "0"];
  const rows: Row[] = [];
  for (const [kind, what] of [
    ["cpuMs", "of the processor"],
    ["wallMs", "by the clock"],
  ] as const) {
    const found = await inTurns(effort === "quick" ? 5 : 25, {
      ours: async () => (await spend(gate, '"allow"'))[kind],
      bare: async () => (await spend(bare, ""))[kind],
    });
    rows.push({
      what: `a gate that is answered at once, on top of Node, ${what}`,
      unit: "ms",
      figure: found.ours - found.bare,
      baseline: { name: "node -e 0", figure: found.bare },
      budget: { of: "figure", sense: "at most", limit: LIMIT_MS },
    });
  }
  server.closeAllConnections();
  server.close();
  return rows;
}
