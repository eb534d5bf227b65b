// HTTP client
// Fifty sessions that send one message at a time and wait for its answer, in a process of their own.
//
//   Owns:          the connections, counting.
//   Does not own:  the engine; its address and token come in the environment, the figure goes out on standard output.

import { Agent, request } from "node:http";
import { inputOf, sessionId, WORKSPACE } from "./workload.ts";

const {
  BENCH_URL: url = "",
  BENCH_TOKEN: token = "",
  BENCH_CALLS: calls = "0",
  BENCH_FROM: from = "0",
} = process.env;
const SESSIONS = 50;
const agent = new Agent({ keepAlive: true, maxSockets: SESSIONS });

function post(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const sent = request(`${url}/v1/events`, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function envelope(session: number, n: number, type: string, data: object): string {
  return JSON.stringify({
    specversion: "1.0",
    id: `${n}-${type}`,
    source: "bench",
    type,
    subject: `${WORKSPACE}/${sessionId(session)}`,
    data: { toolUseId: `toolu_${session}_${n}`, tool: "Bash", input: inputOf(n), ...data },
  });
}

async function play(session: number): Promise<void> {
  for (let n = Number(from); n < Number(from) + Number(calls); n += 1) {
    const started = await post(envelope(session, n, "tool.started", {}));
    const finished = await post(envelope(session, n, "tool.finished", { output: `line ${n}` }));
    if (started !== 200 || finished !== 200) throw new Error(`Answered ${started} and ${finished}.`);
  }
}

const start = performance.now();
await Promise.all(Array.from({ length: SESSIONS }, (_, session) => play(session)));
console.log((SESSIONS * Number(calls) * 1000) / (performance.now() - start));
agent.destroy();
