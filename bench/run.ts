// Run
// Measures each row beside its budget and says which budgets were kept.
//
//   npm run bench [-- --quick] [-- --json] [-- --only NAME] [-- --record]
//
//   Owns:          which rows there are, and their order.
//   Does not own:  how each is measured (rows/).

import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Effort } from "./effort.ts";
import { judge, type Judged, type Row, table } from "./report.ts";
import { record } from "./history.ts";
import { removeScratch } from "./scratch.ts";
import { correlationRows } from "./rows/correlation.ts";
import { decisionRows } from "./rows/decision.ts";
import { gateRows } from "./rows/gate.ts";
import { hashRows } from "./rows/hash.ts";
import { httpRows } from "./rows/http.ts";
import { inboxRows } from "./rows/cluster/inbox.ts";
import { intentRows } from "./rows/intent.ts";
import { jetstreamRows } from "./rows/jetstream.ts";
import { killedRows } from "./rows/killed.ts";
import { lifeRows } from "./rows/life.ts";
import { memoryRows } from "./rows/memory.ts";
import { panelRows } from "./rows/panel.ts";
import { partitionsRows } from "./rows/cluster/partitions.ts";
import { pausesRows } from "./rows/pauses.ts";
import { proxyRows } from "./rows/proxy.ts";
import { requestRows } from "./rows/requests.ts";
import { searchRows } from "./rows/search.ts";
import { sessionsRows } from "./rows/sessions.ts";
import { spareRows } from "./rows/cluster/spare.ts";
import { sizeRows } from "./rows/size.ts";
import { startRows } from "./rows/start.ts";
import { storedRows } from "./rows/stored.ts";
import { peerRows } from "./rows/cluster/peers.ts";
import { serverRows } from "./rows/cluster/servers.ts";
import { policyRows } from "./rows/policy.ts";
import { suggestionRows } from "./rows/suggestions.ts";
import { throughputRows } from "./rows/throughput.ts";
import { tracesRows } from "./rows/traces.ts";
import { trackerRows } from "./rows/tracker.ts";

const ROWS: Readonly<Record<string, (effort: Effort) => Promise<readonly Row[]>>> = {
  correlation: correlationRows,
  hash: hashRows,
  life: lifeRows,
  rows: storedRows,
  throughput: throughputRows,
  http: httpRows,
  jetstream: jetstreamRows,
  spare: spareRows,
  partitions: partitionsRows,
  servers: serverRows,
  peers: peerRows,
  decision: decisionRows,
  size: sizeRows,
  pauses: pausesRows,
  requests: requestRows,
  tracker: trackerRows,
  intent: intentRows,
  inbox: inboxRows,
  start: startRows,
  killed: killedRows,
  sessions: sessionsRows,
  gate: gateRows,
  proxy: proxyRows,
  memory: memoryRows,
  panel: panelRows,
  search: searchRows,
  suggestions: suggestionRows,
  policy: policyRows,
  traces: tracesRows,
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    record: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(
    `npm run bench -- [--quick] [--json] [--record] [--only ROW]…\n\nRows: ${Object.keys(ROWS).join(", ")}`,
  );
  process.exit(0);
}
const effort: Effort = values.quick ? "quick" : "whole";
const names = values.only ?? Object.keys(ROWS);
const judged: Judged[] = [];
const [loadBefore = 0] = loadavg();
try {
  for (const name of names) {
    const measure = ROWS[name];
    if (!measure) throw new Error(`There is no row "${name}". Rows: ${Object.keys(ROWS).join(", ")}.`);
    const from = performance.now();
    judged.push(...(await measure(effort)).map(judge));
    process.stderr.write(`${name} ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
  }
} finally {
  removeScratch();
}
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  loadBefore: Number(loadBefore.toFixed(2)),
};
if (values.record) await record({ effort, machine, rows: judged });
console.log(
  values.json
    ? JSON.stringify({ effort, machine, rows: judged }, null, 2)
    : `Node ${machine.node}, ${machine.cores} × ${machine.cpu}, load before ${machine.loadBefore}\n\n${table(judged)}`,
);
