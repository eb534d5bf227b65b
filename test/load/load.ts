// Load
// Loads an engine at random, kills it with -9 at random, and replays its whole journal at the end (verify).
//
//   npm run verify:load -- [--minutes N] [--kills N] [--rate N] [--seed N]
//
//   Owns:          the command line, the kills, judging what is left.
//   Does not own:  what the engine is sent (load-child), what a proof is about (runtime/turn/proof).
//
// What was told as durable must be there after each kill, as it was sent, and each entry must have led to what a replay
// without any kill comes to. Exit code 1 where that is not so; the folder is then kept.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLmdb } from "../../adapters/lmdb/index.ts";
import { MemoryDisk, MemoryStore } from "../../adapters/memory/index.ts";
import { systemClock } from "../../adapters/system/index.ts";
import type { Verified } from "../../runtime/verify/verified.ts";
import { verify } from "../../runtime/verify/verify.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import type { Journal } from "../../runtime/ports.ts";
import { Chance } from "../chaos/chance.ts";
import { asSaid, markOf } from "./said.ts";
import { clients } from "../../adapters/composition/clients.ts";

const CHILD = new URL("load-child.ts", import.meta.url).pathname;
const MINUTE_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    kills: { type: "string", default: "20" },
    rate: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [minutes, kills, seed] = [values.minutes, values.kills, values.seed].map(Number) as [
  number,
  number,
  number,
];
if (![minutes, kills, Number(values.rate)].every((number) => number > 0))
  throw new Error("Name whole numbers above 0: --minutes, --kills, --rate.");
const chance = new Chance(seed);
const dir = mkdtempSync(join(tmpdir(), "signalbox-load-"));
let durable = 0;
/** The mark of each message that was acknowledged, by its position: what was sent is not taken from the journal. */
const sent = new Map<number, string>();

/** Runs an engine for so long, and kills it. @throws Error if it ends by itself, or lost what it had told as durable. */
async function round(ms: number): Promise<void> {
  const before = durable;
  const args = ["--import", "tsx", CHILD, dir, String(chance.between(1, 1e9)), values.rate];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let started: number | undefined;
  let rest = "";
  child.stdout.on("data", (part: Buffer) => {
    const lines = (rest + part.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [position = "", at, mark] = line.split(" ");
      started ??= Number(position);
      durable = Math.max(durable, Number(position));
      if (at !== undefined && mark !== undefined) sent.set(Number(at), mark);
    }
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  if (signal !== "SIGKILL")
    throw new Error(`The engine ended by itself with ${code ?? signal ?? "nothing"}.`);
  if (started !== undefined && started < before)
    throw new Error(`Entries up to ${before} were durable; after the kill the store stood at ${started}.`);
}

/** The acknowledged messages that are not in the journal as they were sent. */
async function missingIn({ entry }: Pick<Journal, "entry">): Promise<readonly number[]> {
  const missing: number[] = [];
  for (const [position, mark] of sent) {
    const found = await entry(position);
    if (found === undefined || markOf(found.body) !== mark) missing.push(position);
  }
  return missing;
}

async function judged(): Promise<Verified & { readonly unlike: readonly number[] }> {
  const { store, journal, close } = openLmdb(join(dir, "store"), systemClock());
  await store.open();
  await journal.open(undefined);
  const into = new MemoryStore(new MemoryDisk("replay"));
  const entry = (position: number) => journal.entry(position);
  const verified = await verify({
    found: store,
    entry,
    first: () => journal.first(),
    into,
    digest: digestId,
    clients,
    translate: asSaid,
    build: "",
  });
  const unlike = await missingIn({ entry });
  await close();
  return { ...verified, unlike };
}

console.log(`seed ${seed}, folder ${dir}`);
// Each round has its share of the time, and up to half as much more or less.
const share = (minutes * MINUTE_MS) / kills;
for (let kill = 1; kill <= kills; kill += 1) {
  await round(share * (0.5 + chance.next()));
  console.log(`kill ${kill} of ${kills}: durable up to entry ${durable}`);
}
const { last, compared, earlier, unproven, differences, missing, rows, unlike } = await judged();
const counts = {
  sent: sent.size,
  missing: missing.length,
  unlike: unlike.length,
  differences: differences.length,
  rows: { compared: rows.compared, differences: rows.differences.length },
};
console.log(JSON.stringify({ durable, last, compared, earlier, unproven, ...counts }));
for (const position of unlike.slice(0, 20)) console.log(`${position} is not what was sent`);
for (const difference of differences.slice(0, 20)) console.log(JSON.stringify(difference));
for (const difference of rows.differences.slice(0, 20)) console.log(JSON.stringify(difference));
const isLost = last < durable || missing.length > 0 || unlike.length > 0 || sent.size === 0;
if (isLost || compared === 0 || unproven > 0 || differences.length > 0 || rows.differences.length > 0)
  process.exitCode = 1;
else rmSync(dir, { recursive: true });
