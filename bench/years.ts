// Years
// Many calls through one engine whose retention is short: what years of running do to its files, memory and pauses.
//
//   npm run bench:years -- [--calls N] [--kept SECONDS] [--json]
//
//   Owns:          the load, the samples, judging whether they grow.
//   Does not own:  what is removed, and when (runtime/turn/sweep, machines/routing/retention).
//
// Everything is kept for the same short while, so that the store soon holds as much as it ever will. From then on
// nothing may grow: the last quarter of the samples is set beside the second. Exit code 1 where files or heap have grown.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openLmdb } from "../adapters/lmdb/index.ts";
import { systemClock } from "../adapters/system/index.ts";
import { clients, translate } from "../adapters/composition/clients.ts";
import type { SessionId } from "../machines/index.ts";
import { configured } from "../runtime/config.ts";
import { Engine } from "../runtime/engine/engine.ts";
import { digestId } from "../runtime/foreign-id.ts";
import type { SourceMessage } from "../runtime/message.ts";
import { median } from "./measure.ts";
import { removeScratch, scratchFolder } from "./scratch.ts";
import { ended, post, pre, prompt } from "./workload.ts";

const VOICES = 50;
const CALLS_A_SESSION = 20;
const SAMPLES = 40;
/** What is taken for growth: a B-tree's free pages and the collector leave this much to chance. */
const GROWN = 1.25;
const RESOLUTION_MS = 1;

interface Sample {
  readonly calls: number;
  readonly perSecond: number;
  readonly filesMb: number;
  readonly heapMb: number;
  readonly rssMb: number;
  /** Of the main thread, since the sample before; finer than a millisecond it cannot tell. */
  readonly pauseMs: { readonly p999: number; readonly max: number };
}

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000000" },
    kept: { type: "string", default: "20" },
    json: { type: "boolean", default: false },
  },
});
const [calls, keptMs] = [Number(values.calls), Number(values.kept) * 1000] as const;
if (!(calls >= SAMPLES && keptMs > 0)) throw new Error("Name numbers: --calls from 40, --kept above 0.");

const dir = scratchFolder();
const folder = openLmdb(dir, systemClock());
const engine = new Engine({
  ...folder,
  clock: systemClock(),
  digest: digestId,
  clients,
  translate,
  configuration: configured(
    clients.defaults,
    {
      idleMs: keptMs,
      keepMs: keptMs,
      orphanMs: keptMs,
      tombstoneMs: keptMs,
      ledgersKeptMs: keptMs,
      changesKeptMs: keptMs,
      auditKeptMs: keptMs,
      deadsKeptMs: keptMs,
      repliesKeptMs: keptMs,
    },
    { quota: "off" },
  ),
  journalKept: { ms: keptMs, bytes: 16 * 1024 ** 2 },
  onFatal: (error) => {
    throw error;
  },
});

let done = 0;
const pauses = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

const sizeOf = (path: string): number =>
  readdirSync(path, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum +
      (entry.isDirectory() ? sizeOf(join(path, entry.name)) : statSync(join(path, entry.name)).blocks * 512),
    0,
  );

const MB = 1024 ** 2;
const samples: Sample[] = [];
let since = { calls: 0, at: performance.now() };

/** Takes a sample of what went on since the last one. */
function sample(): void {
  // Asked for by --expose-gc: without it garbage would count as memory.
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const ms = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const taken = {
    calls: done,
    perSecond: ((done - since.calls) * 1000) / (performance.now() - since.at),
    filesMb: sizeOf(dir) / MB,
    heapMb: heapUsed / MB,
    rssMb: rss / MB,
    pauseMs: { p999: ms(pauses.percentile(99.9)), max: ms(pauses.max) },
  };
  samples.push(taken);
  say(row(taken));
  // The sample's own work is no pause of the engine.
  setImmediate(() => {
    since = { calls: done, at: performance.now() };
    pauses.reset();
  });
}

async function settled(message: SourceMessage): Promise<void> {
  const { outcome } = await (await engine.submit(message)).settled;
  if (outcome !== "applied") throw new Error(`A message was ${outcome}.`);
}

/** One session after another, each with its prompt, calls and end, until all voices together have made enough calls. */
async function speak(voice: number): Promise<void> {
  for (let nth = 0; done < calls; nth += 1) {
    const session = `years-${voice}-${nth}` as SessionId;
    await settled(prompt(session));
    for (let n = 0; n < CALLS_A_SESSION; n += 1) {
      await settled(pre(session, n));
      await settled(post(session, n));
      done += 1;
      if (done >= (calls * (samples.length + 1)) / SAMPLES) sample();
    }
    await settled(ended(session));
  }
}

const row = ({ calls, perSecond, filesMb, heapMb, rssMb, pauseMs }: Sample): string =>
  [calls, perSecond, filesMb, heapMb, rssMb, pauseMs.p999, pauseMs.max]
    .map((figure) => figure.toFixed(0).padStart(10))
    .join("");

const say = (line: string): void => void process.stderr.write(`${line}\n`);
await engine.start();
say("     calls  a second  files MB   heap MB    RSS MB  p99.9 ms    max ms");
pauses.enable();
await Promise.all(Array.from({ length: VOICES }, (_, voice) => speak(voice)));
pauses.disable();
await engine.stop();
removeScratch();

const quarter = (nth: number, of: (sample: Sample) => number): number =>
  median(samples.slice(((nth - 1) * SAMPLES) / 4, (nth * SAMPLES) / 4).map(of));
const growth = (of: (sample: Sample) => number): number => quarter(4, of) / quarter(2, of);
const grown = {
  files: growth(({ filesMb }) => filesMb),
  heap: growth(({ heapMb }) => heapMb),
  pauses: growth(({ pauseMs }) => pauseMs.p999),
  perSecond: growth(({ perSecond }) => perSecond),
};
if (values.json) console.log(JSON.stringify({ keptMs, samples, grown }, undefined, 2));
else
  console.log(
    `The last quarter beside the second: ${Object.entries(grown)
      .map(([what, times]) => `${what} ${times.toFixed(2)} ×`)
      .join(", ")}.`,
  );
process.exitCode = grown.files > GROWN || grown.heap > GROWN ? 1 : 0;
