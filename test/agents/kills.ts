// Kills
// Real agents behind their doors, in rounds: somebody answers, and something is killed at the same moment.
//
//   npm run chaos:agents -- [--rounds N] [--seed N] [--agent NAME]
//
//   Owns:          the rounds, the table, the exit code.
//   Does not own:  the agents, a round (kill-round), who is right (kill-judge).
//
// A run in which no kill met a question, or no command ran at all, has shown nothing: it fails.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Chance } from "../chaos/chance.ts";
import { build } from "../support/processes/program.ts";
import { AGENTS, fetched } from "./agents.ts";
import { judged } from "./kill-judge.ts";
import { Engine, planned, type Played, played, STRUCK } from "./kill-round.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    agent: { type: "string", default: "" },
  },
});
const { seed, agent: wanted } = values;
const rounds = Number(values.rounds);
const agents = AGENTS.filter(({ name, namesFile }) => name.includes(wanted) && namesFile !== false);
if (!(rounds > 0) || !/^\d+$/.test(seed) || agents.length === 0) {
  console.error(
    `--rounds and --seed take whole numbers, --agent one of ${AGENTS.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

await build();
const commands = new Map(
  await Promise.all(agents.map(async (agent) => [agent, await fetched(agent)] as const)),
);
const chance = new Chance(Number(seed));
const folder = mkdtempSync(join(tmpdir(), "signalbox-kills-"));
const engine = new Engine();
const all: Played[] = [];
let wrong: readonly string[] = [];
try {
  for (let n = 1; n <= rounds && wrong.length === 0; n++) {
    const agent = chance.pick(agents);
    const plan = planned(chance);
    all.push(await played({ engine, agent, command: commands.get(agent) ?? [], plan, n, folder }));
    if (n % 10 !== 0 && n !== rounds) continue;
    wrong = judged(all, await engine.approvals());
    console.log(`${n} of ${rounds} rounds, ${all.filter(({ hasRun }) => hasRun).length} commands ran`);
  }
} finally {
  await engine.end();
  rmSync(folder, { recursive: true, force: true });
}

for (const what of STRUCK) {
  const of = all.filter(({ plan }) => plan.struck === what);
  const ran = of.filter(({ hasRun }) => hasRun).length;
  const met = of.filter(({ isStruck }) => isStruck).length;
  console.log(`${what} struck: ${of.length} rounds, ${met} met a question, ${ran} commands ran`);
}
const shown = all.some(({ isStruck }) => isStruck) && all.some(({ hasRun }) => hasRun);
if (!shown) console.log("Nothing was shown: no kill met a question, or no command ran.");
for (const text of wrong) console.log(text);
console.log(`Again: npm run chaos:agents -- --rounds ${rounds} --seed ${seed}`);
process.exit(shown && wrong.length === 0 ? 0 : 1);
