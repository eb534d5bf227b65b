// Run
// `npm run sim`: plays histories of engines on one journal, or simulates so many nodes.
//
//   Owns:          the command line.
//   Does not own:  the histories (test/runtime/cluster), the simulation (load, away).

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { checked } from "./check.ts";
import { ASSUMED, FIXED, GIVEN, MEASURED } from "./figures.ts";
import { outcomeOf, tableOf } from "./outcome.ts";

const HELP = `npm run sim
npm run sim -- --nodes 2,10,100,1000 [--spares 1] [--seconds 60] [--faults] [--seed 1] [--set NAME=VALUE]… [--json]

Without --nodes: plays a million random histories of three engines on one journal for each claim.
With --nodes:    simulates one workspace of 10,000 people on so many nodes, and says what is used up first.

  --spares N        how many nodes stand by each owner (default 1)
  --seconds N       how long calls come (default 60)
  --faults          an owner and a NATS server die, and a new version is put in, meanwhile
  --seed N          repeats a run (default 1)
  --set NAME=VALUE  another figure than the measured or assumed one; --json names them all
  --json            prints everything for a program

Example: npm run sim -- --nodes 1000 --set merged=200 --set news=5`;

const HISTORIES = ["test/runtime/cluster/replicas.test.ts", "test/runtime/cluster/term.test.ts"];

const { values } = parseArgs({
  options: {
    nodes: { type: "string" },
    spares: { type: "string", default: "1" },
    seconds: { type: "string", default: "60" },
    faults: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    set: { type: "string", multiple: true, default: [] },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function numberOf(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`${name} takes a number, not "${text}". See npm run sim -- --help.`);
}

function given(): typeof GIVEN {
  const set = values.set.map((each) => {
    const [name = "", value = ""] = each.split("=");
    if (!(name in GIVEN))
      throw new Error(`--set knows no figure "${name}", only ${Object.keys(GIVEN).join(", ")}.`);
    return [name, numberOf(`--set ${name}`, value)];
  });
  return { ...GIVEN, ...(Object.fromEntries(set) as Partial<typeof GIVEN>) };
}

function simulate(nodes: string): void {
  const [spares, seconds, seed] = [values.spares, values.seconds, values.seed].map((text, n) =>
    numberOf(["--spares", "--seconds", "--seed"][n] ?? "", text),
  ) as [number, number, number];
  const figures = given();
  const outcomes = nodes.split(",").map((text) => {
    const shape = { nodes: numberOf("--nodes", text), spares, seed, seconds, hasFaults: values.faults };
    return outcomeOf(shape, figures);
  });
  const checks = checked(figures, seed);
  if (values.json) {
    const sources = { ...MEASURED, ...FIXED, ...ASSUMED };
    console.log(JSON.stringify({ figures, sources, outcomes, checks }, null, 2));
    return;
  }
  console.log(tableOf(outcomes));
  console.log("\n| how near it is | simulated | measured | by |\n| --- | --- | --- | --- |");
  for (const { what, unit, simulated, measured, from } of checks)
    console.log(`| ${what}, ${unit} | ${simulated.toPrecision(3)} | ${measured} | ${from} |`);
}

if (values.help) console.log(HELP);
else if (values.nodes !== undefined) simulate(values.nodes);
else {
  const env = { PROPERTY_RUNS: "200", ...process.env };
  const { status } = spawnSync("npx", ["vitest", "run", ...HISTORIES], { stdio: "inherit", env });
  process.exitCode = status ?? 1;
}
