// Run
// Signalbox and its peers side by side: four durable requests over HTTP a call, one session, fifty, two hundred.
//
//   Owns:          the turns, the medians, the table.
//   Does not own:  the contenders, the client.
//
// The contenders' servers all run from the first round to the last; in each round they take turns, in an order that
// rotates, so that only one is asked at a time. The first round is thrown away.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { callsPerSecond } from "./client.js";
import * as bare from "./contenders/bare.js";
import * as dbos from "./contenders/dbos.js";
import * as langgraph from "./contenders/langgraph.js";
import * as restate from "./contenders/restate.js";
import * as signalbox from "./contenders/signalbox.js";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 2 : 5;
/** How many calls each session makes in a round. */
const CALLS = isQuick ? { 1: 20, 50: 4, 200: 1 } : { 1: 60, 50: 10, 200: 3 };
const CONTENDERS = [signalbox, restate, langgraph, ...(dbos.isThere ? [dbos] : []), bare];

const load = () => loadavg()[0].toFixed(1);
const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const scratch = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-peers-"));
const running = [];
const clear = async () => {
  for (const { place } of running.splice(0)) await place.stop();
  rmSync(scratch, { recursive: true, force: true });
};
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void clear().then(() => process.exit(1)));
try {
  console.log(`${availableParallelism()} processors, load ${load()} before, Node ${process.version}`);
  for (const { name, start } of CONTENDERS) {
    const folder = join(scratch, name.replaceAll(/\W+/g, "-"));
    mkdirSync(folder);
    running.push({ name, place: await start(folder), rates: {} });
  }
  for (const [sessions, calls] of Object.entries(CALLS))
    for (let round = 0; round <= ROUNDS; round += 1)
      for (let turn = 0; turn < running.length; turn += 1) {
        const { place, rates } = running[(round + turn) % running.length];
        const rate = await callsPerSecond(place, Number(sessions), calls);
        if (round > 0) (rates[sessions] ??= []).push(rate);
      }
  console.log(`load ${load()} after\n\n${table()}`);
} finally {
  await clear();
}

/** Calls a second, and how many times that Signalbox does. */
function table() {
  const counts = Object.keys(CALLS);
  const [ours] = running;
  const row = ({ name, rates }) => [
    name,
    ...counts.map((sessions) => {
      const [rate, own] = [median(rates[sessions]), median(ours.rates[sessions])];
      return `${Math.round(rate).toLocaleString("en")} (${(own / rate).toFixed(2)} ×)`;
    }),
  ];
  const lines = [
    ["calls a second (Signalbox ÷ it)", ...counts.map((n) => `${n} session${n === "1" ? "" : "s"}`)],
    ["---", ...counts.map(() => "---")],
    ...running.map(row),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
