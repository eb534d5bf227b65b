// Backtest
// A long history replayed against a set of rules: how long it takes, and whether it says the same again.
//
//   npm run bench:backtest -- [--approvals N] [--calls N] [--rules N] [--distinct]
//
//   Owns:          the history, the rules, the clock.
//   Does not own:  the trial (runtime/reading/rule-trial).
//
// The approvals are those of three months, and were removed; the calls are kept, and nobody was asked about them. With
// --distinct no two commands are alike.

import { parseArgs } from "node:util";
import { openLmdb } from "../adapters/lmdb/index.ts";
import { systemClock } from "../adapters/system/index.ts";
import { clients, translate } from "../adapters/composition/clients.ts";
import { type Guarded, MAIN_AGENT, type SessionId } from "../machines/index.ts";
import { toolInput } from "../runtime/canonical.ts";
import { configured } from "../runtime/config.ts";
import { Engine } from "../runtime/engine/engine.ts";
import { digestId } from "../runtime/foreign-id.ts";
import type { SourceMessage } from "../runtime/message.ts";
import { Reader } from "../runtime/reading/reader.ts";
import { ended, trialInSlices, type Tried } from "../runtime/reading/rule-trial.ts";
import { keys } from "../runtime/rows/keys.ts";
import type { PastApproval } from "../runtime/rows/past-approvals.ts";
import { fillAsked } from "./asked.ts";
import { removeScratch, scratchFolder } from "./scratch.ts";
import { pre, post, prompt, WORKSPACE } from "./workload.ts";

const { values } = parseArgs({
  options: {
    approvals: { type: "string", default: "100000" },
    calls: { type: "string", default: "0" },
    rules: { type: "string", default: "20" },
    distinct: { type: "boolean", default: false },
  },
});
const [approvals, calls, count] = [Number(values.approvals), Number(values.calls), Number(values.rules)];
const DAY_MS = 24 * 60 * 60 * 1000;
const SESSIONS = 50;
const ROUNDS = 3;
const GUARDED: Guarded = { folders: ["/home/someone/.signalbox"], ports: [4280], names: ["box.example.org"] };

const folder = openLmdb(scratchFolder(), systemClock());
const engine = new Engine({
  ...folder,
  clock: systemClock(),
  digest: digestId,
  clients,
  translate,
  configuration: configured(clients.defaults, {}, { quota: "off" }),
  onFatal: (error) => {
    throw error;
  },
});

const PROGRAMS = [
  "npm run test",
  "git status",
  "git log",
  "ls -la",
  "grep -rn needle",
  "rm -rf build",
  "cat",
];

function pastOf(n: number, at: number): PastApproval {
  const command = `${PROGRAMS[n % PROGRAMS.length] ?? ""} packages/app-${n % 97}/src/file-${n % 1013}.ts`;
  return {
    at,
    approvalId: `approval-${n}`,
    sessionId: `session-${n % 500}` as SessionId,
    tool: "Bash",
    input: toolInput({ command, description: "What an agent says that it is for", timeout: 120_000 }),
    agentId: MAIN_AGENT,
    cwd: "/home/someone/app",
    isAmbiguous: false,
    state: n % 9 === 0 ? "denied" : "approved",
    by: "local:someone",
    closedAt: at + 4_000,
  };
}

/** What these people allow and deny (asked.ts), and what the distinct ones are. */
const ALLOWED = values.distinct
  ? PROGRAMS.map((program) => `${program} *`)
  : [
      "git status",
      "git diff *",
      "npm test",
      "npx vitest run *",
      "ls *",
      "cat *",
      "wc *",
      "head *",
      "git log *",
    ];
const DENIED = values.distinct
  ? PROGRAMS.map((program) => `${program} packages/app-3`)
  : ["git push", "rm", "curl", "sudo"];
const FOLDERS = ["/home/team/shop/src/**", "/home/team/site/src/core/*"];

function ruleOf(n: number): Tried {
  if (n % 5 === 0)
    return {
      effect: "deny",
      tool: "Bash",
      match: { kind: "prefix", text: DENIED[(n / 5) % DENIED.length] ?? "" },
    };
  const limits =
    n % 3 === 0 ? { perHour: 5, uses: 1_000 } : n % 3 === 1 ? { hours: "Mon-Fri 09:00-17:00Z" } : {};
  const isEdit = n % 5 === 1 && !values.distinct;
  const [tool, texts] = isEdit ? ["Edit", FOLDERS] : ["Bash", ALLOWED];
  const text = texts[n % texts.length] ?? "";
  return { effect: "allow", tool, match: { kind: "glob", text }, unmarked: true, ...limits };
}

async function settled(message: SourceMessage): Promise<void> {
  const { outcome } = await (await engine.submit(message)).settled;
  if (outcome !== "applied") throw new Error(`A message was ${outcome}.`);
}

async function speak(voice: number): Promise<void> {
  const session = `kept-${voice}` as SessionId;
  await settled(prompt(session));
  for (let n = 0; n < calls / SESSIONS; n += 1) {
    await settled(pre(session, n));
    await settled(post(session, n));
  }
}

async function fillDistinct(): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < approvals; from += 10_000) {
    const some = Array.from({ length: Math.min(10_000, approvals - from) }, (_, n) => {
      const past = pastOf(from + n, Math.floor(now - 89 * DAY_MS * (1 - (from + n) / approvals)));
      const key = keys.pastApproval(past.at, WORKSPACE, past.sessionId, past.approvalId);
      return { put: key, value: JSON.stringify(past) };
    });
    await engine.store.commit(some);
  }
}

await engine.start();
if (calls > 0) await Promise.all(Array.from({ length: SESSIONS }, (_, voice) => speak(voice)));
if (values.distinct) await fillDistinct();
else await fillAsked(engine.store, approvals);

const rules = Array.from({ length: count }, (_, n) => ruleOf(n));
const scope = { workspace: WORKSPACE, since: 0, limit: 50, guarded: GUARDED, withCalls: true };
const told = new Set<string>();
for (let round = 0; round < ROUNDS; round += 1) {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const found = await ended(trialInSlices(new Reader(engine.store), rules, scope));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(used);
  told.add(JSON.stringify(found));
  const { asked, allow, deny, limited, unasked } = found;
  console.log(
    `${asked} approvals and ${unasked?.calls ?? 0} calls against ${count} rules: ${seconds.toFixed(2)} s, ` +
      `${((user + system) / 1e6).toFixed(2)} s of a processor (allowed ${allow}, denied ${deny}, limited ${limited})`,
  );
}
console.log(told.size === 1 ? "Each time the same bytes." : "NOT the same each time.");
process.exitCode = told.size === 1 ? 0 : 1;
await engine.stop();
removeScratch();
