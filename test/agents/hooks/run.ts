// Run
// Faults with real agents whose hooks ask here: `npm run test:agents -- [--agent NAME] [--fault TEXT]`. It writes docs/agents.md.
//
//   Owns:          playing each fault with each agent, the tables, the exit code.
//   Does not own:  the faults, the agents.
//
// Red fails the run, but for what the agent is known to do: that is listed with the reason. A fault that did not happen fails.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { build, Desk, Started } from "../../support/processes/program.ts";
import { type HookedAgent, HOOKED } from "./agents.ts";
import { HOOK_FAULTS, type HookFault } from "./faults.ts";

const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "agents.md");
const { values } = parseArgs({ options: { agent: { type: "string" }, fault: { type: "string" } } });
const agents = HOOKED.filter(({ name }) => name.includes(values.agent ?? ""));
const faults = HOOK_FAULTS.filter(({ name }) => name.includes(values.fault ?? ""));

interface Played {
  readonly cell: string;
  readonly isBad: boolean;
}

async function play(agent: HookedAgent, command: readonly string[], fault: HookFault): Promise<Played> {
  const desk = new Desk();
  const [folder, home, data] = [join(desk.dir, "work"), join(desk.dir, "home"), join(desk.dir, "data")];
  for (const each of [folder, home]) mkdirSync(each);
  const ran = join(folder, "ran");
  const model = await agent.model(`touch ${ran}`);
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
    const why = error instanceof Error ? error.message : String(error);
    return { cell: `**did not happen: ${why.split("\n")[0] ?? ""}**`, isBad: true };
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

function judged({ agent }: HookedAgent, { may, known = {} }: HookFault, how: HookFault["may"]): Played {
  if (how === may) return { cell: `green: ${how}`, isBad: false };
  const why = known[agent];
  if (why !== undefined) return { cell: `**red: ${how}** (the agent's own: ${why})`, isBad: false };
  return { cell: `**RED: ${how}**`, isBad: true };
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
    rows.push(`| ${fault.name} | ${fault.may} | ${cell} |`);
    if (isBad) bad += 1;
  }
  if (isWhole) write(agent, rows);
}
console.log(bad === 0 ? "All as it is known." : `${bad} not as they should be.`);
process.exit(bad === 0 ? 0 : 1);

/** Replaces the agent's own section of the page. */
function write({ name, version }: HookedAgent, rows: readonly string[]): void {
  const [head = "", ...sections] = readFileSync(PAGE, "utf8").split(/^## /m);
  const day = new Date().toISOString().slice(0, 10);
  const where = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const table = [
    "| what happens while it asks | the command may | and did |",
    "| --- | --- | --- |",
    ...rows,
  ];
  const section = `${name}\n\nVersion ${version}; ${day}, on ${where}.\n\n${table.join("\n")}\n`;
  const others = sections.filter((each) => !each.startsWith(`${name}\n`));
  const all = [...others.map((each) => `${each.trim()}\n`), section].toSorted();
  writeFileSync(PAGE, `${head.trim()}\n\n## ${all.join("\n## ")}`);
}
