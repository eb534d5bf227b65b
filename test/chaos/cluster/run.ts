// Chaos of a cluster
// Kills, stops and cuts off engines and servers at random moments; no approval is lost, doubled or allowed without a cause.
//
//   npm run chaos:cluster -- [--rounds N] [--seed N] [--servers 1|3] [--only FAULT]
//
//   --only takes a part of the names of the faults that may happen, such as "clock".
//
//   Owns:          the command line, the rounds, the table, the exit code.
//   Does not own:  a round (round), who is right (judge, log).
//
// Exit code 1 where a violation was found, 2 where the command line is wrong. Three servers must be 2.10.27 or newer:
// NATS_SERVER_BIN names the program.

import { parseArgs } from "node:util";
import { build } from "../../support/processes/program.ts";
import { Chance } from "../chance.ts";
import { VIOLATIONS } from "../judge.ts";
import { Tally } from "../tally.ts";
import { FAULTS } from "./faults.ts";
import { Machines } from "./machines.ts";
import { chaos } from "./outcome.ts";
import type { Setting } from "./round.ts";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Given {
  readonly rounds: number;
  readonly seed: number;
  readonly servers: number;
  readonly only: string;
}

/** @throws Error that says what is wrong with the command line. */
function options(): Given {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "100" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      servers: { type: "string", default: "3" },
      only: { type: "string", default: "" },
    },
  });
  const [rounds, seed] = [numberOf("rounds", values.rounds), numberOf("seed", values.seed)];
  if (values.servers !== "1" && values.servers !== "3") throw new Error("--servers takes 1 or 3.");
  const { only } = values;
  if (!FAULTS.some((fault) => fault.includes(only)))
    throw new Error(`--only takes a part of one of these: ${FAULTS.join(", ")}.`);
  return { rounds, seed, servers: Number(values.servers), only };
}

function numberOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not "${text}".`);
}

function awayRows(away: Setting["away"]): string {
  return FAULTS.map((fault) => [fault, away.filter(([each]) => each === fault).map(([, ms]) => ms)] as const)
    .filter(([, all]) => all.length > 0)
    .map(([fault, all]) => {
      const sorted = all.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return `| ${fault}: ${all.length} times, nobody ready for | p50 ${at(0.5)} ms, most ${at(1)} ms |`;
    })
    .join("\n");
}

let given: Given;
try {
  given = options();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
const { rounds, seed, servers, only } = given;
await build();
const machines = await Machines.make(servers);
const setting: Setting = { machines, chance: new Chance(seed), tally: new Tally(), only, away: [] };
let isFaultless = false;
try {
  const judged = await chaos(rounds, setting, seed, (n) => {
    if (n % 10 === 0) say(`${n} of ${rounds} rounds`);
  });
  const { found, wrong } = judged;
  process.stdout.write(`${setting.tally.table(judged)}\n${awayRows(setting.away)}\n`);
  for (const { what, mark, why } of found) say(`${VIOLATIONS[what]}: ${mark}: ${why}`);
  for (const why of wrong) say(`the log: ${why}`);
  say(`Violations of the log: ${wrong.length}`);
  isFaultless = found.length + wrong.length === 0;
} finally {
  const same = only === "" ? "" : ` --only "${only}"`;
  say(`Again: npm run chaos:cluster -- --rounds ${rounds} --seed ${seed} --servers ${servers}${same}`);
  await machines.end();
}
process.exit(isFaultless ? 0 : 1);
