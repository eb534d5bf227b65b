// Run
// Faults with real agents behind the proxy: `npm run test:agents -- [--agent NAME] [--fault TEXT]`.
// It writes docs/reference/agents.md.
//
//   Owns:          playing each fault with each agent, the table, the exit code.
//   Does not own:  the faults, the agents.
//
// A fault that did not happen fails the run, and so does a command that ran without a committed allow.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, Desk } from "../support/processes/program.ts";
import { type Agent, AGENTS, fetched, stepsOf } from "./agents.ts";
import { type Fault, FAULTS, REVIEWS, within } from "./faults.ts";
import { startModel } from "./model.ts";
import { type Cell, didNotHappen, didText, rowOf, writeSection } from "./page.ts";

const { values } = parseArgs({ options: { agent: { type: "string" }, fault: { type: "string" } } });
const agents = AGENTS.filter(({ name }) => name.includes(values.agent ?? ""));

interface Played extends Cell {
  readonly version: string;
}

async function play(agent: Agent, command: readonly string[], fault: Fault): Promise<Played> {
  const desk = new Desk();
  const folder = join(desk.dir, "work");
  const ran = join(folder, "ran");
  mkdirSync(folder, { recursive: true });
  const model = await startModel({
    steps: stepsOf(agent, ran),
    ...(fault.review && { review: fault.review }),
  });
  let version = agent.version;
  try {
    const engine = fault.hasEngine ? (await desk.up()).engine : undefined;
    const timeout = ["--timeout", String(fault.timeoutS ?? 600)];
    const proxy = desk.start([agent.door, "--data", join(desk.dir, "data"), ...timeout, "--", ...command], {
      keepInput: true,
      env: { ...agent.prepare(folder, model.url), SIGNALBOX_DATA: "" },
    });
    const client = agent.connect(proxy.child);
    version = (await within("the agent's start", client.begin(folder))) || version;
    const turn = client.promptText("go");
    await fault.happen({ desk, client, proxy, engine, turn });
    const how = existsSync(ran) ? "run" : "not run";
    const isBad = how !== fault.may;
    return { cell: isBad ? `**RED: ${didText(how)}**` : `green: ${didText(how)}`, isBad, version };
  } catch (error) {
    return { ...didNotHappen(error), version };
  } finally {
    model.stop();
    await desk.clear();
  }
}

let bad = 0;
await build();
for (const agent of agents) {
  const command = await fetched(agent);
  const faults = (agent.isReviewed ? REVIEWS : FAULTS).filter(({ name }) =>
    name.includes(values.fault ?? ""),
  );
  const rows: string[] = [];
  let version = "";
  for (const fault of faults) {
    const played = await play(agent, command, fault);
    console.log(`${agent.name}: ${fault.name}: ${played.cell}`);
    rows.push(rowOf(fault.name, fault.may, played.cell));
    version = played.version;
    if (played.isBad) bad += 1;
  }
  if (values.fault === undefined) writeSection(agent.name, version, rows);
}
console.log(bad === 0 ? "All as it should be." : `${bad} not as they should be.`);
process.exit(bad === 0 ? 0 : 1);
