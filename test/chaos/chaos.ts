// Chaos at the gate
// Kills and stops engine, hooks, NATS and client at random moments; nothing runs unasked, and no answer is lost.
//
//   npm run chaos:gate -- [--rounds N] [--seed N] [--client-every N] [--liar approves|turns|swaps|late]
//
//   Owns:          the command line, the rounds, the exit code.
//   Does not own:  a round (round), who is right (judge), the table (tally), what a liar does (lies).
//
// Exit code 1 where a violation was found, 2 where the command line is wrong. With a liar for an engine it is 0 as soon
// as one was found, and 1 where none was.

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { listAt } from "../support/engine/json.ts";
import { fetchClient } from "../support/client/package.ts";
import { build } from "../support/processes/program.ts";
import { Chance } from "./chance.ts";
import { recordedQuestions } from "./gates.ts";
import { judge, type Judged, VIOLATIONS } from "./judge.ts";
import { type Lie, LIES } from "./lies.ts";
import { playedRound, realRound, settingOf, straysIn } from "./round.ts";
import { Tally } from "./tally.ts";
import { World } from "./world.ts";

interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly clientEvery: number;
  readonly liar: Lie | undefined;
}

/** @throws Error that says what is wrong with the command line. */
function options(): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "300" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      "client-every": { type: "string", default: "20" },
      liar: { type: "string" },
    },
  });
  return {
    rounds: numberOf("rounds", values.rounds),
    seed: numberOf("seed", values.seed),
    clientEvery: numberOf("client-every", values["client-every"]),
    liar: lieOf(values.liar),
  };
}

function lieOf(text: string | undefined): Lie | undefined {
  const lie = LIES.find((each) => each === text);
  if (text === undefined || lie !== undefined) return lie;
  throw new Error(`--liar takes ${LIES.join(", ")}, not "${text}".`);
}

function numberOf(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not "${text}".`);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function chaos({ rounds, seed, clientEvery, liar }: Options, tally: Tally): Promise<Judged> {
  await build();
  const world = await World.make(clientEvery > 0 ? await fetchClient() : "", liar);
  const [chance, recorded] = [new Chance(seed), recordedQuestions()];
  try {
    for (let n = 1; n <= rounds; n++) {
      const startedAt = performance.now();
      const setting = settingOf(world, chance, tally);
      const isReal = clientEvery > 0 && n % clientEvery === 0;
      if (isReal) await realRound(setting, `c${seed}-${n}`);
      else await playedRound(setting, `c${seed}-${n}`, recorded);
      tally.calls.push(...setting.calls);
      tally.roundsS.push((performance.now() - startedAt) / 1_000);
      if (isReal) tally.clientRounds += 1;
      if (n % 10 === 0) say(`${n} of ${rounds} rounds`);
      if (liar === undefined) continue;
      const soFar = await judged(world, tally);
      if (soFar.found.length > 0) return soFar;
    }
    return await judged(world, tally);
  } finally {
    await world.end();
  }
}

async function judged(world: World, tally: Tally): Promise<Judged> {
  await nobodyWaits(world);
  const { calls, rules } = tally;
  const shown = [...tally.shown, ...(await world.exported())];
  return judge({ calls, rules, shown, strays: straysIn(world, calls) });
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
const { rounds, seed, clientEvery, liar } = given;
const tally = new Tally();
const outcome = await chaos(given, tally);
const { found } = outcome;
process.stdout.write(`${tally.table(outcome)}\n`);
for (const { what, mark, why } of found) say(`${VIOLATIONS[what]}: ${mark}: ${why}`);
const lied = liar === undefined ? "" : ` --liar ${liar}`;
say(`Again: npm run chaos:gate -- --rounds ${rounds} --seed ${seed} --client-every ${clientEvery}${lied}`);
if (liar !== undefined) say(found.length > 0 ? "The liar was found." : "The liar was not found.");
process.exit(found.length > 0 === (liar !== undefined) ? 0 : 1);
