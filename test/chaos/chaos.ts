// Chaos at the gate
// Kills and stops engine, hooks, NATS and client at random moments, and shows that nothing runs unasked and no answer is lost.
//
//   npm run chaos:gate -- [--rounds N] [--seed N] [--client-every N]
//
//   Owns:          the command line, the rounds, the exit code.
//   Does not own:  a round (round), who is right (judge), the table (tally).
//
// Exit code 1 where a violation was found, 2 where the command line is wrong.

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { listAt } from "../support/engine/json.ts";
import { fetchClient } from "../support/client/package.ts";
import { build } from "../support/processes/program.ts";
import { Chance } from "./chance.ts";
import { recordedQuestions } from "./gates.ts";
import { judge } from "./judge.ts";
import { playedRound, realRound, settingOf } from "./round.ts";
import { Tally } from "./tally.ts";
import { World } from "./world.ts";

interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly clientEvery: number;
}

/** @throws Error that says what is wrong with the command line. */
function options(): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "300" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      "client-every": { type: "string", default: "20" },
    },
  });
  return {
    rounds: numberOf("rounds", values.rounds),
    seed: numberOf("seed", values.seed),
    clientEvery: numberOf("client-every", values["client-every"]),
  };
}

function numberOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not "${text}".`);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function chaos({ rounds, seed, clientEvery }: Options): Promise<Tally> {
  await build();
  const world = await World.make(clientEvery > 0 ? await fetchClient() : "");
  const [chance, tally, recorded] = [new Chance(seed), new Tally(), recordedQuestions()];
  try {
    for (let n = 1; n <= rounds; n++) {
      const setting = settingOf(world, chance, tally);
      const isReal = clientEvery > 0 && n % clientEvery === 0;
      if (isReal) await realRound(setting, `c${seed}-${n}`);
      else await playedRound(setting, `c${seed}-${n}`, recorded);
      tally.rounds += 1;
      if (isReal) tally.clientRounds += 1;
      if (n % 10 === 0) say(`${n} of ${rounds} rounds`);
    }
    await nobodyWaits(world);
    tally.judged = judge(tally.calls, await world.exported());
    return tally;
  } finally {
    await world.end();
  }
}

const SETTLE_MS = 60_000;

/** Approvals of what was killed go within seconds; what stays is found by the judge. */
async function nobodyWaits(world: World): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    const { status, body } = await world.ask("GET", "/v1/approvals?state=pending");
    if (status === 200 && listAt(body, "items").length === 0) return;
    await sleep(250);
  }
}

let given: Options;
try {
  given = options();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
const { rounds, seed, clientEvery } = given;
const tally = await chaos(given);
process.stdout.write(`${tally.table()}\n`);
for (const { what, mark, why } of tally.judged.found) say(`${what}: ${mark}: ${why}`);
say(`Again: npm run chaos:gate -- --rounds ${rounds} --seed ${seed} --client-every ${clientEvery}`);
process.exit(tally.judged.found.length > 0 ? 1 : 0);
