// Chaos of a cluster
// Kills, stops and cuts off engines and servers at random moments; no approval is lost, doubled or allowed without a cause.
//
//   npm run chaos:cluster -- [--rounds N] [--minutes N] [--seed N] [--servers 1|3 | --partitions N] [--only FAULT]
//
//   Owns:          the command line, the rounds, the table, the exit code.
//   Does not own:  a round (round), what is struck (struck, ../nodes), who is right (judge, log).
//
// Exit code 1 where a violation was found, 2 where the command line is wrong.

import { parseArgs } from "node:util";
import { build } from "../../support/processes/program.ts";
import { Chance } from "../chance.ts";
import { VIOLATIONS } from "../judge.ts";
import { Tally } from "../tally.ts";
import { FAULTS as NODE_FAULTS } from "../nodes/faults.ts";
import { struckNodes } from "../nodes/struck.ts";
import { FAULTS } from "./faults.ts";
import { chaos } from "./outcome.ts";
import type { Setting } from "./round.ts";
import { struckMachines } from "./struck.ts";

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const HELP = `Usage: npm run chaos:cluster -- [options]

Strikes a cluster while services ask and somebody answers, and judges what came of it.

  --rounds N      how many rounds (default: 100)
  --minutes N     begin no further round after so many minutes; what there was is judged
  --seed N        the same choices again (default: by the clock)
  --servers 1|3   two engines on one journal, with so many NATS servers (default: 3, which must be 2.10.27 or newer)
  --partitions N  instead, so many partitions on two nodes, as \`signalbox cluster up\` runs them, with one NATS server
  --only FAULT    only faults with this part in their names, such as "killed"

NATS_SERVER_BIN names the nats-server to use.

Example: npm run chaos:cluster -- --partitions 2 --rounds 20 --only "node killed"`;

interface Given {
  readonly rounds: number;
  readonly minutes: number;
  readonly seed: number;
  readonly servers: number;
  /** 0: one journal without partitions. */
  readonly partitions: number;
  readonly only: string;
}

/** @throws Error that says what is wrong with the command line. */
function options(): Given {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "100" },
      minutes: { type: "string", default: "1440" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      servers: { type: "string", default: "3" },
      partitions: { type: "string", default: "0" },
      only: { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    process.exit(0);
  }
  const [rounds, seed] = [numberOf("rounds", values.rounds), numberOf("seed", values.seed)];
  const minutes = numberOf("minutes", values.minutes);
  const partitions = numberOf("partitions", values.partitions);
  if (partitions > 64) throw new Error("--partitions takes at most 64.");
  if (values.servers !== "1" && values.servers !== "3") throw new Error("--servers takes 1 or 3.");
  const { only } = values;
  const faults = faultsWith(partitions);
  if (!faults.some((fault) => fault.includes(only)))
    throw new Error(`--only takes a part of one of these: ${faults.join(", ")}.`);
  return { rounds, minutes, seed, servers: Number(values.servers), partitions, only };
}

const faultsWith = (partitions: number): readonly string[] => (partitions > 0 ? NODE_FAULTS : FAULTS);

function numberOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not "${text}".`);
}

function awayRows(faults: readonly string[], away: Setting["away"]): string {
  return faults
    .map((fault) => [fault, away.filter(([each]) => each === fault).map(([, ms]) => ms)] as const)
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
const { rounds, minutes, seed, servers, partitions, only } = given;
await build();
const struck = await (partitions > 0 ? struckNodes(partitions) : struckMachines(servers));
const setting: Setting = { struck, chance: new Chance(seed), tally: new Tally(), only, away: [] };
let isFaultless = false;
try {
  const until = performance.now() + minutes * 60_000;
  const judged = await chaos(rounds, setting, seed, (n) => {
    say(`${n} of ${rounds} rounds`);
    return performance.now() < until;
  });
  const { found, wrong } = judged;
  process.stdout.write(`${setting.tally.table(judged)}\n${awayRows(faultsWith(partitions), setting.away)}\n`);
  for (const { what, mark, why } of found) say(`${VIOLATIONS[what]}: ${mark}: ${why}`);
  for (const why of wrong) say(`the log: ${why}`);
  say(`Violations of the log: ${wrong.length}`);
  isFaultless = found.length + wrong.length === 0;
} finally {
  const form = partitions > 0 ? `--partitions ${partitions}` : `--servers ${servers}`;
  const same = only === "" ? "" : ` --only "${only}"`;
  say(`Again: npm run chaos:cluster -- --rounds ${rounds} --seed ${seed} ${form}${same}`);
  await struck.end();
}
process.exit(isFaultless ? 0 : 1);
