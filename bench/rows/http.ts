// HTTP row
// The same fifty sessions, from another process, over fifty connections: each waits for the answer to its message, which
// comes once what the message led to is durable.
//
//   Baseline: a bare node:http server that reads the same bodies and answers at once.

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Effort } from "../effort.ts";
import { randomUUID } from "node:crypto";
import { createEngine } from "../../adapters/index.ts";
import { inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

// It runs as it was compiled, like all of the benchmark.
const CLIENT = fileURLToPath(new URL("../http-client.ts", import.meta.url)).replace(/\.ts$/, ".js");

async function callsPerSecond(url: string, token: string, from: number, calls: number): Promise<number> {
  const env = {
    ...process.env,
    BENCH_URL: url,
    BENCH_TOKEN: token,
    BENCH_FROM: String(from),
    BENCH_CALLS: String(calls),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, CLIENT], { env });
  return Number(stdout);
}

export async function httpRows(effort: Effort): Promise<readonly Row[]> {
  const calls = effort === "quick" ? 20 : 60;
  const dataDir = scratchFolder();
  const token = randomUUID();
  const ours = await createEngine({ dataDir, port: 0, token });
  const bare = createServer((asked, answer) => {
    asked.resume();
    asked.on("end", () => answer.end("{}"));
  });
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
  const { port } = bare.address() as AddressInfo;
  let from = 0;
  const figures = await inTurns(effort === "quick" ? 2 : 5, {
    ours: () => callsPerSecond(ours.url ?? "", token, (from += calls), calls),
    bare: () => callsPerSecond(`http://127.0.0.1:${port}`, token, 0, calls),
  });
  bare.close();
  await ours.stop();
  return [
    {
      what: "tool calls per second over HTTP, 50 sessions",
      unit: "calls/s",
      figure: figures.ours,
      baseline: { name: "bare node:http", figure: figures.bare },
      budget: { of: "figure", sense: "at least", limit: 1_000 },
    },
  ];
}
