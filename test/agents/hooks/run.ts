// Run
// Faults with real agents whose hooks ask here: `npm run test:agents -- [--agent NAME] [--fault TEXT]`.
// It writes docs/reference/agents.md.
//
//   Owns:          playing each fault with each agent, the tables, the exit code.
//   Does not own:  the faults, the agents.
//
// Red fails the run, but for what the agent is known to do: that is listed with the reason. A fault that did not happen fails.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build, Desk, Started } from "../../support/processes/program.ts";
import { type HookedAgent, HOOKED } from "./agents.ts";
import { startModel } from "../model.ts";
import { type Cell, didNotHappen, didText, rowOf, writeSection } from "../page.ts";
import { HOOK_FAULTS, type HookFault } from "./faults.ts";

const { values } = parseArgs({ options: { agent: { type: "string" }, fault: { type: "string" } } });
const agents = HOOKED.filter(({ name }) => name.includes(values.agent ?? ""));
const faults = HOOK_FAULTS.filter(({ name }) => name.includes(values.fault ?? ""));

async function play(agent: HookedAgent, command: readonly string[], fault: HookFault): Promise<Cell> {
  const desk = new Desk();
  const [folder, home, data] = [join(desk.dir, "work"), join(desk.dir, "home"), join(desk.dir, "data")];
  for (const each of [folder, home]) mkdirSync(each);
  const ran = join(folder, "ran");
  const model = await startModel({ steps: [[`touch ${ran}`]] });
  let child: Started | undefined;
  try {
    const env = agent.prepare(home, folder, model.url);
    const timeout = ["--timeout", String(fault.timeoutS ?? 600)];
    const installed = await desk.run(["install", "--agent", agent.agent, ...timeout], { env });
    if (installed.code !== 0) throw new Error(`install: ${installed.err}`);
    fault.before?.(data);
    const engine = fault.hasEngine ? (await desk.up()).engine : undefined;
    const usual = agent.args(folder);
    const args = fault.isOff ? agent.off(home, usual) : usual;
    child = started(command, args, folder, { HOME: home, ...env });
    await fault.happen({ desk, data, agent: child, engine });
    return judged(agent, fault, existsSync(ran) ? "run" : "not run");
  } catch (error) {
    return didNotHappen(error);
  } finally {
    await ended(child);
    model.stop();
    // What was killed may still have been writing.
    await desk.clear().catch(() => sleep(1_000).then(() => desk.clear()));
  }
}

function started(
  [program = "", ...first]: readonly string[],
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Started {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(program, [...first, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: [...stdio],
    detached: true,
  });
  return new Started(child);
}

/** With whatever it has started: it leads a group of its own. */
async function ended(agent: Started | undefined): Promise<void> {
  const pid = agent?.child.pid ?? 0;
  if (agent === undefined || pid <= 1) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
  await agent.ended;
}

function judged({ agent }: HookedAgent, { may, known = {} }: HookFault, how: HookFault["may"]): Cell {
  if (how === may) return { cell: `green: ${didText(how)}`, isBad: false };
  const why = known[agent];
  if (why !== undefined) return { cell: `**red: ${didText(how)}** (known behaviour: ${why})`, isBad: false };
  return { cell: `**RED: ${didText(how)}**`, isBad: true };
}

const isWhole = faults.length === HOOK_FAULTS.length;
let bad = 0;
await build();
for (const agent of agents) {
  const command = await agent.command();
  const rows: string[] = [];
  for (const fault of faults) {
    const { cell, isBad } = await play(agent, command, fault);
    console.log(`${agent.name}: ${fault.name}: ${cell}`);
    rows.push(rowOf(fault.name, fault.may, cell));
    if (isBad) bad += 1;
  }
  if (isWhole) writeSection(agent.name, `version ${agent.version}`, rows);
}
console.log(bad === 0 ? "All as it is known." : `${bad} not as they should be.`);
process.exit(bad === 0 ? 0 : 1);
