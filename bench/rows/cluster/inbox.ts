// Inbox rows
// One inbox over sixteen engines with 10,000 pending approvals in all, asked what the panel asks: by the clock, and the
// processor time of all engines together.
//
//   Baseline: one engine that has as many.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addToken, dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import type { Access } from "../../../runtime/access-token.ts";
import type { Effort } from "../../effort.ts";
import { accounted } from "../../http/account.ts";
import { inTurns, median, quantile } from "../../measure.ts";
import { down, pidsOf, type Up, up } from "../../processes.ts";
import type { Row } from "../../report.ts";
import { scratchFolder } from "../../scratch.ts";
import { inputOf } from "../../workload.ts";

const PLANS = {
  quick: { approvals: 1_600, rounds: 3, reads: 20 },
  whole: { approvals: 10_000, rounds: 7, reads: 60 },
} as const;
const ENGINES = 16;
const AT_ONCE = 250;

/** What the panel asks: its first page, its counts, a search. */
const ASKED = {
  "its first page": "/v1/approvals?state=pending&order=oldest&limit=100&with=call,session",
  "its counts": "/v1/stats",
  "a search": "/v1/search?text=needle&limit=20",
} as const;

const VOUCHING: Access = { parts: new Set(["view", "decide", "manage"]), vouches: true };

/** A session of which one call waits. */
function waiting(n: number): readonly object[] {
  const [requestId, toolUseId, input] = [`request-${n}`, `toolu-${n}`, inputOf(n)];
  const event = (type: string, data: object): object => ({
    ...{ specversion: "1.0", id: `${n}-${type}`, source: "bench", type, subject: `bench/session-${n}` },
    data: { requestId, ...data },
  });
  return [
    event("request.created", { prompt: "Find what still uses the old name." }),
    event("tool.started", { toolUseId, tool: "Bash", input }),
    event("approval.requested", { toolUseId, approvalId: `approval-${n}`, tool: "Bash", input }),
  ];
}

/** As many folders, with approvals that wait there in turn. */
async function filled(folders: number, approvals: number): Promise<readonly string[]> {
  const all = Array.from({ length: folders }, scratchFolder);
  for (const dir of all) await addToken(dataFolder(dir, {}), "hub", VOUCHING);
  const engines = await Promise.all(all.map((dataDir) => createEngine({ dataDir, port: 0 })));
  for (let from = 0; from < approvals; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, approvals - from) }, (_, n) => from + n);
    const sending = engines.map(async (engine, at) => {
      const events = numbers.filter((n) => n % folders === at).flatMap(waiting);
      if (events.length > 0) await engine.send(events);
    });
    await Promise.all(sending);
  }
  await Promise.all(engines.map((engine) => engine.stop()));
  return all;
}

const tokenIn = (dir: string): string => readFileSync(join(dir, "tokens", "hub"), "utf8").trim();

/** An engine that shows all of these. */
async function showing(engines: readonly Up[]): Promise<Up> {
  const [data = ""] = await filled(1, 0);
  const peers = engines.map(({ data: dir, url }, n) => ({
    ...{ name: `engine-${n}`, url, tokenFile: join(dir, "tokens", "hub") },
  }));
  const file = join(data, "peers.yaml");
  // Each JSON is YAML, too.
  writeFileSync(file, JSON.stringify(peers), { mode: 0o600 });
  return up(data, ["--peers", file]);
}

interface Answer {
  readonly items?: readonly unknown[];
  readonly partial?: readonly string[];
}

/** Asks as many times, one after the other. @returns how long each took, ms, and how many answers lacked a part. */
async function read({ url, data }: Up, path: string, times: number) {
  const headers = { Authorization: `Bearer ${tokenIn(data)}` };
  const tookMs: number[] = [];
  let lacking = 0;
  for (let n = 0; n < times; n += 1) {
    const from = performance.now();
    const answer = await fetch(`${url}${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`);
    const { partial } = (await answer.json()) as Answer;
    tookMs.push(performance.now() - from);
    if (partial) lacking += 1;
  }
  return { tookMs, lacking };
}

async function rowsOf(
  [what, path]: readonly [string, string],
  { one, hub, engines }: { readonly one: Up; readonly hub: Up; readonly engines: readonly Up[] },
  { rounds, reads }: { readonly rounds: number; readonly reads: number },
): Promise<readonly Row[]> {
  const tookMs: Record<"one" | "many", number[]> = { one: [], many: [] };
  let lacking = 0;
  const cpuMs = async (name: "one" | "many", asked: Up, all: readonly Up[]): Promise<number> => {
    const { result, cost } = await accounted(pidsOf(all), () => read(asked, path, reads));
    tookMs[name].push(...result.tookMs);
    lacking += result.lacking;
    return cost.cpuUs / reads / 1_000;
  };
  const figures = await inTurns(rounds, {
    one: () => cpuMs("one", one, [one]),
    many: () => cpuMs("many", hub, [hub, ...engines]),
  });
  return [
    {
      what: `${what} of an inbox over ${ENGINES} engines, p99`,
      unit: "ms",
      figure: quantile(tookMs.many, 0.99),
      baseline: { name: "one engine with as many", figure: quantile(tookMs.one, 0.99) },
      budget: { of: "figure", sense: "at most", limit: 300 },
      note: `p50 ${median(tookMs.many).toFixed(1)}, of one engine ${median(tookMs.one).toFixed(1)}; ${lacking} of ${tookMs.many.length} lacked a part`,
    },
    {
      what: `processor time of ${what}, all engines together`,
      unit: "ms",
      figure: figures.many,
      baseline: { name: "one engine with as many", figure: figures.one },
    },
  ];
}

export async function inboxRows(effort: Effort): Promise<readonly Row[]> {
  const { approvals, ...times } = PLANS[effort];
  const [dir = ""] = await filled(1, approvals);
  const one = await up(dir);
  const folders = await filled(ENGINES, approvals);
  const engines = await Promise.all(folders.map((each) => up(each)));
  const hub = await showing(engines);
  const rows: Row[] = [];
  for (const asked of Object.entries(ASKED))
    rows.push(...(await rowsOf(asked, { one, hub, engines }, times)));
  await Promise.all([hub, one, ...engines].map(down));
  return rows;
}
