// Run
// Signalbox and its peers side by side: four durable requests over HTTP a call, one session, fifty, two hundred.
//
//   Owns:          the turns, the medians, the table.
//   Does not own:  the contenders, the client and the account (../http).
//
// The contenders' servers all run from the first round to the last; in each round they take turns, in an order that
// rotates, so that only one is asked at a time. The first round is cold, the client's and the contender's, and has a
// table of its own; the others count.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { accounted } from "../../.bench/bench/http/account.js";
import { load } from "../../.bench/bench/http/load.js";
import * as bare from "./contenders/bare.js";
import * as dbos from "./contenders/dbos.js";
import * as langgraph from "./contenders/langgraph.js";
import * as restate from "./contenders/restate.js";
import * as signalbox from "./contenders/signalbox.js";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 2 : 5;
/** How many calls each session makes in a round. */
const CALLS = isQuick ? { 1: 20, 50: 4, 200: 1 } : { 1: 60, 50: 20, 200: 5 };
const CONTENDERS = [signalbox, restate, langgraph, ...(dbos.isThere ? [dbos] : []), bare];

const busy = () => loadavg()[0].toFixed(1);
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
  console.log(`${availableParallelism()} processors, load ${busy()} before, Node ${process.version}`);
  for (const { name, start } of CONTENDERS) {
    const folder = join(scratch, name.replaceAll(/\W+/g, "-"));
    mkdirSync(folder);
    running.push({ name, place: await start(folder), seen: {} });
  }
  for (const [sessions, calls] of Object.entries(CALLS))
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let turn = 0; turn < running.length; turn += 1) {
        const { place, seen } = running[(round + turn) % running.length];
        const work = () => load(place, Number(sessions), calls);
        const { result, cost } = await accounted(place.pids, work);
        const each = Number(sessions) * calls;
        (seen[sessions] ??= []).push({
          rate: result.callsPerSecond,
          cpuUs: cost.cpuUs / each,
          mainUs: cost.mainUs / each,
          writtenKb: cost.written / each / 1_000,
        });
      }
      console.error(`${sessions} session${sessions === "1" ? "" : "s"}, round ${round} of ${ROUNDS}`);
    }
  console.log(`load ${busy()} after\n\n${rates("warm", 1)}\n\n${rates("cold", 0, 1)}\n\n${costs()}`);
} finally {
  await clear();
}

/** Calls a second, and how many times that Signalbox does. @param from the first round that counts. */
function rates(name, from, to) {
  const [ours] = running;
  const rateOf = ({ seen }, sessions) => median(seen[sessions].slice(from, to).map(({ rate }) => rate));
  const row = (contender) => [
    contender.name,
    ...Object.keys(CALLS).map((sessions) => {
      const [rate, own] = [rateOf(contender, sessions), rateOf(ours, sessions)];
      return `${Math.round(rate).toLocaleString("en")} (${(own / rate).toFixed(2)} ×)`;
    }),
  ];
  return tableOf(`calls a second, ${name} (Signalbox ÷ it)`, row);
}

/** What a call costs a contender's processes, warm. */
function costs() {
  const row = ({ name, seen }) => [
    name,
    ...Object.keys(CALLS).map((sessions) => {
      const of = (figure) => median(seen[sessions].slice(1).map((each) => each[figure]));
      return `${of("cpuUs").toFixed(0)}, ${of("mainUs").toFixed(0)}, ${of("writtenKb").toFixed(1)}`;
    }),
  ];
  return tableOf("a call: processor µs, of it the busiest main thread, kB written to disk", row);
}

function tableOf(title, row) {
  const counts = Object.keys(CALLS);
  const lines = [
    [title, ...counts.map((n) => `${n} session${n === "1" ? "" : "s"}`)],
    ["---", ...counts.map(() => "---")],
    ...running.map(row),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
