// Record
// Makes the recordings of agents in test/recordings: `npm run record:agents -- [--agent NAME] [--scenario NAME]`.
//
//   Owns:          playing each scenario with each agent, what is written down.
//   Does not own:  the agents, the scenarios, the stand-in for the model, what recordings prove (test/support/agent-proxy).
//
// Client and agent speak to one another as they are: nothing of ours is between them. Whether a command ran is shown by the
// files that it left, and what became of a call by what the agent told the model.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Client, Exchanged } from "../support/agent-proxy/client.ts";
import { at, textAt } from "../support/engine/json.ts";
import { type Agent, AGENTS, fetched } from "./agents.ts";
import { within } from "./faults.ts";
import { type Called, startModel } from "./model.ts";
import { type Scenario, SCENARIOS } from "./scenarios.ts";

const ROOT = join(import.meta.dirname, "..", "recordings");
const HOME = "/home/dev";
const { values } = parseArgs({ options: { agent: { type: "string" }, scenario: { type: "string" } } });

async function record(agent: Agent, command: readonly string[], scenario: Scenario): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-record-"));
  const work = join(folder, "shop");
  mkdirSync(work);
  const { review } = scenario;
  const model = await startModel({
    ...(agent.door === "codex" && { isTelling: true }),
    ...(review && { review }),
  });
  const { PATH = "", SHELL = "/bin/bash" } = process.env;
  const env = { PATH, SHELL, HOME: folder, LANG: "C.UTF-8", ...agent.prepare(work, model.url) };
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: work, env, stdio: ["pipe", "pipe", "ignore"] });
  const answers = [...scenario.answers];
  const client: Client = agent.connect(child, (request) => answers.shift()?.(client, request));
  try {
    await within("the agent's start", client.begin(work));
    for (const steps of scenario.prompts) {
      model.steps.splice(0, Infinity, ...steps);
      await within("the turn", client.promptText("go"));
    }
  } finally {
    child.kill("SIGKILL");
    model.stop();
  }
  if (answers.length > 0) throw new Error(`${answers.length} answers were not asked for`);
  const files = readdirSync(work).filter((name) => !name.includes("."));
  const hidden = [folder, dirname(dirname(dirname(program))), homedir()];
  write(agent, scenario, { lines: client.exchanged, calls: model.calls, files }, hidden);
  rmSync(folder, { recursive: true, force: true });
}

interface Recorded {
  readonly lines: readonly Exchanged[];
  readonly calls: ReadonlyMap<string, Called>;
  readonly files: readonly string[];
}

/** Of no call, and long: what an agent offers, what it has used, what it thinks of its machine. */
const OFFERS = ["available_commands_update", "config_option_update", "usage_update"];
const ASIDES = ["configWarning", "warning", "remoteControl/status/changed"];
const USED = ["thread/tokenUsage/updated", "account/rateLimits/updated"];
const isOffer = ({ said }: Exchanged): boolean =>
  OFFERS.includes(textAt(said, "params", "update", "sessionUpdate") ?? "") ||
  [...ASIDES, ...USED].includes(textAt(said, "method") ?? "");

/** The options of a session, and ways to log in, say where things are on this machine. */
function trimmed({ from, said }: Exchanged, client: string): object {
  const named = { from: from === "client" ? client : from };
  const result = at(said, "result");
  if (typeof result !== "object" || result === null) return { ...named, said };
  const names = ["configOptions", "modes", "models", "authMethods"];
  const kept = Object.entries(result).filter(([name]) => !names.includes(name));
  return { ...named, said: { ...said, result: Object.fromEntries(kept) } };
}

/** What Codex says of a call once it is over, and of its turn. */
function resultIn(lines: readonly Exchanged[], id: string): object {
  const told = (method: string) => lines.filter(({ said }) => textAt(said, "method") === method);
  const of = (method: string) =>
    told(method).find(({ said }) => textAt(said, "params", "item", "id") === id)?.said;
  const item = at(of("item/completed"), "params", "item");
  const turnId = textAt(of("item/started"), "params", "turnId");
  const turn = told("turn/completed").find(({ said }) => textAt(said, "params", "turn", "id") === turnId);
  const error = textAt(item, "error", "message");
  return {
    ...(item !== undefined && { status: at(item, "status"), exitCode: at(item, "exitCode") ?? null }),
    ...(error !== undefined && { error }),
    turn: textAt(turn?.said, "params", "turn", "status"),
  };
}

function write(agent: Agent, { name, about }: Scenario, recorded: Recorded, hidden: readonly string[]): void {
  const first = /^\w+/.exec(agent.name)?.[0].toLowerCase() ?? "";
  const target = join(ROOT, agent.door, `${first}-${name}`);
  mkdirSync(target, { recursive: true });
  const plain = (text: string): string => hidden.reduce((left, path) => left.replaceAll(path, HOME), text);
  const jsonl = (each: readonly unknown[]): string =>
    each.map((one) => `${plain(JSON.stringify(one))}\n`).join("");
  const { lines, calls, files } = recorded;
  const kept = lines.filter((line) => !isOffer(line));
  const client = agent.door === "acp" ? "editor" : "client";
  writeFileSync(join(target, `${agent.door}.jsonl`), jsonl(kept.map((line) => trimmed(line, client))));
  const truth = [...calls].map(([id, { call, said, told }]) => ({
    id,
    ...(typeof call === "string" ? { command: call } : { call }),
    ...(said !== undefined && { said }),
    told: told ?? null,
    ...(agent.door === "codex" && resultIn(lines, id)),
  }));
  writeFileSync(join(target, "results.jsonl"), jsonl(truth));
  const { version } = agent;
  writeFileSync(
    join(target, "about.json"),
    `${JSON.stringify({ agent: agent.name, version, about, files }, null, 2)}\n`,
  );
}

for (const agent of AGENTS.filter(({ name }) => name.includes(values.agent ?? ""))) {
  const command = await fetched(agent);
  const own = SCENARIOS.filter(
    ({ agents, name }) => agents.includes(agent.name) && name.includes(values.scenario ?? ""),
  );
  for (const scenario of own) {
    await record(agent, command, scenario);
    console.log(`${agent.name}: ${scenario.name}`);
  }
}
process.exit(0);
