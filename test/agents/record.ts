// Record
// Makes the recordings of agents in test/recordings/acp: `npm run record:agents -- [--agent NAME]`.
//
//   Owns:          what each agent is asked to do, what a person answers, what is written down.
//   Does not own:  the agents, the stand-in for the model, what recordings prove (test/support/oracle).
//
// Editor and agent speak to one another as they are: nothing of ours is between them. Whether a command ran is shown by the
// files that it left, and what became of a call by what the agent told the model.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Editor, picks } from "../support/acp/editor.ts";
import type { Heard, Reply } from "../support/agent-proxy/client.ts";
import { type Agent, AGENTS, fetched } from "./agents.ts";
import { within } from "./faults.ts";
import { startModel } from "./model.ts";

const ROOT = join(import.meta.dirname, "..", "recordings", "acp");
const HOME = "/home/dev";
const { values } = parseArgs({ options: { agent: { type: "string" } } });

interface Scenario {
  readonly name: string;
  readonly about: string;
  /** By prompt: the messages of the model, each with its commands. */
  readonly prompts: readonly (readonly (readonly string[])[])[];
  /** What a person picks, question by question. */
  readonly answers: readonly ("allow_once" | "reject_once")[];
  /** All questions that will come at once are there before the first is answered. */
  readonly together?: number;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "sequence",
    about: "One call after another: allowed, allowed and failing, denied; then another prompt, allowed.",
    prompts: [[["touch one"], ["cat missing"], ["touch three"]], [["touch four"]]],
    answers: ["allow_once", "allow_once", "reject_once", "allow_once"],
  },
  {
    name: "parallel",
    about: "Four calls in one message: three are allowed.",
    prompts: [[["touch one", "touch two", "cat missing", "touch four"]]],
    answers: ["allow_once", "allow_once", "allow_once", "allow_once"],
  },
  {
    name: "parallel-denied",
    about: "Three calls in one message, the second is denied.",
    prompts: [[["touch one", "touch two", "touch three"]], [["touch four"]]],
    answers: ["allow_once", "reject_once", "allow_once", "allow_once"],
  },
  {
    name: "alike",
    about: "The same command three times: twice in one message, the first denied; then once more, allowed.",
    prompts: [[["touch same", "touch same"]], [["touch same"]]],
    answers: ["reject_once", "allow_once", "allow_once"],
  },
];

interface Line {
  readonly from: "editor" | "agent";
  readonly said: unknown;
}

async function record(agent: Agent, command: readonly string[], scenario: Scenario): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-record-"));
  const work = join(folder, "shop");
  mkdirSync(work);
  const model = await startModel();
  const { PATH = "", SHELL = "/bin/bash" } = process.env;
  const env = { PATH, SHELL, HOME: folder, LANG: "C.UTF-8", ...agent.prepare(work, model.url) };
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: work, env, stdio: ["pipe", "pipe", "ignore"] });
  const lines: Line[] = [];
  const answers = [...scenario.answers];
  const editor = new Heeding(child, lines, (request) =>
    request.method === "session/request_permission" ? picks(answers.shift() ?? "reject_once")(request) : null,
  );
  try {
    await within("the agent's start", editor.begin(work));
    for (const steps of scenario.prompts) {
      model.steps.splice(0, Infinity, ...steps);
      await within("the turn", editor.promptText("go"));
    }
  } finally {
    child.kill("SIGKILL");
    model.stop();
  }
  const truth = [...model.calls].map(([id, { command, told }]) => ({ id, command, told: told ?? null }));
  const files = readdirSync(work).filter((name) => !name.includes("."));
  const hidden = [folder, dirname(dirname(dirname(program))), homedir()];
  write(agent, scenario, { lines, truth, files }, hidden);
  rmSync(folder, { recursive: true, force: true });
}

/** Notes what both sides say, in the order in which the editor sends and hears it. */
class Heeding extends Editor {
  readonly #lines: Line[];

  constructor(child: ChildProcess, lines: Line[], reply: Reply) {
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const whole = (rest + text).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) lines.push({ from: "agent", said: JSON.parse(line) as unknown });
    });
    super(child, reply);
    this.#lines = lines;
  }

  override send(message: object): void {
    this.#lines.push({ from: "editor", said: { jsonrpc: "2.0", ...message } });
    super.send(message);
  }
}

interface Recorded {
  readonly lines: readonly Line[];
  readonly truth: readonly object[];
  readonly files: readonly string[];
}

/** Of no call, and long: what an agent offers. */
const OFFERS = ["available_commands_update", "config_option_update", "usage_update"];

function isOffer({ said }: Line): boolean {
  const { params } = said as Heard;
  const update = params?.["update"] as { readonly sessionUpdate?: string } | undefined;
  return OFFERS.includes(update?.sessionUpdate ?? "");
}

/** The options of a session, and ways to log in, say where things are on this machine. */
function trimmed({ from, said }: Line): Line {
  const { result, ...message } = said as Heard;
  if (typeof result !== "object" || result === null) return { from, said };
  const names = ["configOptions", "modes", "models", "authMethods"];
  const kept = Object.entries(result).filter(([name]) => !names.includes(name));
  return { from, said: { ...message, result: Object.fromEntries(kept) } };
}

function write(agent: Agent, { name, about }: Scenario, recorded: Recorded, hidden: readonly string[]): void {
  const target = join(ROOT, `${agent.name.split(" ")[0]?.toLowerCase() ?? ""}-${name}`);
  mkdirSync(target, { recursive: true });
  const plain = (text: string): string => hidden.reduce((left, path) => left.replaceAll(path, HOME), text);
  const jsonl = (each: readonly unknown[]): string =>
    each.map((one) => `${plain(JSON.stringify(one))}\n`).join("");
  const { lines, truth, files } = recorded;
  const kept = lines.filter((line) => !isOffer(line)).map(trimmed);
  writeFileSync(join(target, "acp.jsonl"), jsonl(kept));
  writeFileSync(join(target, "results.jsonl"), jsonl(truth));
  const { version } = agent;
  writeFileSync(
    join(target, "about.json"),
    `${JSON.stringify({ agent: agent.name, version, about, files }, null, 2)}\n`,
  );
}

for (const agent of AGENTS.filter(({ name }) => name.includes(values.agent ?? ""))) {
  const command = await fetched(agent);
  for (const scenario of SCENARIOS) {
    await record(agent, command, scenario);
    console.log(`${agent.name}: ${scenario.name}`);
  }
}
process.exit(0);
