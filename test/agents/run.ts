// Run
// Faults with real agents behind the proxy: `npm run test:agents -- [--agent NAME] [--fault TEXT]`. It writes docs/agents.md.
//
//   Owns:          playing each fault with each agent, the table, the exit code.
//   Does not own:  the faults, the agents.
//
// A fault that did not happen fails the run, and so does a command that ran without a committed allow.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, Desk } from "../support/processes/program.ts";
import { type Agent, AGENTS, fetched } from "./agents.ts";
import { type Fault, FAULTS, REVIEWS, within } from "./faults.ts";
import { startModel } from "./model.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "agents.md");
const { values } = parseArgs({ options: { agent: { type: "string" }, fault: { type: "string" } } });
const agents = AGENTS.filter(({ name }) => name.includes(values.agent ?? ""));

const HEAD = `# What real agents did

\`npm run test:agents\` fetches the agents from npm, has each run one command behind \`signalbox acp\` or \`signalbox codex\` against a stand-in for the model, and does to it what stands in the first column. A file tells whether the command ran. Green is as it should be; a fault that did not happen fails the run. [acp.md](acp.md) and [codex.md](codex.md) say what the proxy does.`;

interface Played {
  readonly cell: string;
  readonly isBad: boolean;
  readonly version: string;
}

async function play(agent: Agent, command: readonly string[], fault: Fault): Promise<Played> {
  const desk = new Desk();
  const folder = join(desk.dir, "work");
  const ran = join(folder, "ran");
  mkdirSync(folder, { recursive: true });
  const model = await startModel({
    steps: [[`touch ${ran}`]],
    ...(agent.calling && { calls: agent.calling(ran) }),
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
    return { cell: isBad ? `**RED: ${how}**` : `green: ${how}`, isBad, version };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { cell: `**did not happen: ${why.split("\n")[0] ?? ""}**`, isBad: true, version };
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
    rows.push(`| ${fault.name} | ${fault.may} | ${played.cell} |`);
    version = played.version;
    if (played.isBad) bad += 1;
  }
  if (values.fault === undefined) write(agent.name, version, rows);
}
console.log(bad === 0 ? "All as it should be." : `${bad} not as they should be.`);
process.exit(bad === 0 ? 0 : 1);

/** Replaces the agent's own section of the page. */
function write(name: string, version: string, rows: readonly string[]): void {
  const [head = HEAD, ...sections] = existsSync(PAGE) ? readFileSync(PAGE, "utf8").split(/^## /m) : [];
  const day = new Date().toISOString().slice(0, 10);
  const where = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const table = [
    "| what happens while it asks | the command may | and did |",
    "| --- | --- | --- |",
    ...rows,
  ];
  const section = `${name}\n\nVersion ${version}, as it names itself; ${day}, on ${where}.\n\n${table.join("\n")}\n`;
  const others = sections.filter((each) => !each.startsWith(`${name}\n`));
  const all = [...others.map((each) => `${each.trim()}\n`), section].toSorted();
  writeFileSync(PAGE, `${head.trim()}\n\n## ${all.join("\n## ")}`);
}
