// Claude
// The real client, run headless on a scripted model, with hooks that the real `signalbox install` put in.
//
//   Owns:          its surroundings: home, settings, project; starting and ending it.
//   Does not own:  its program (package.ts), its model (api.ts), the engine (processes/program.ts).

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { at, textAt } from "../engine/json.ts";
import { copyBuilt, Desk, jsonLines } from "../processes/program.ts";
import { type Api, type Model, playApi, type Result, type Scripted } from "./api.ts";
import { inTerminal, Screen, skipFirstSteps } from "./terminal.ts";

/** A call that the client asks about, and that can be seen to have run. */
export const touch = (name: string): Scripted => ({
  name: "Bash",
  input: { command: `touch ${name}`, description: `Make ${name}` },
});

const KEY = "sk-ant-of-the-test";

export interface Prompting {
  /** Default: one that asks for the script. */
  readonly text?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The client in a terminal. */
export interface Seat {
  readonly run: Run;
  readonly screen: Screen;
}

/** Said each time: some versions begin in another mode, which asks nobody. */
const ASKING = ["--permission-mode", "default"];

export class Claude {
  readonly desk = new Desk();
  readonly project = join(this.desk.dir, "project");
  readonly #program: string;
  readonly #apis: Api[] = [];
  readonly #children: ChildProcess[] = [];

  constructor(program: string) {
    this.#program = program;
    for (const dir of [this.project, this.config, this.#bin]) mkdirSync(dir);
    symlinkSync(program, join(this.#bin, "claude"));
  }

  get data(): string {
    return join(this.desk.dir, "data");
  }

  /** The client's own folder. */
  get config(): string {
    return join(this.desk.dir, "config");
  }

  /** Holds the client as it lies on a user's PATH. */
  get #bin(): string {
    return join(this.desk.dir, "bin");
  }

  /** Puts the hooks in as a user does. @returns what was said of it. */
  async install(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.desk.run(["install", ...args], { env: this.#place() });
    if (code !== 0) throw new Error(err);
    return out;
  }

  /** The same from a copy of this clone, which is deleted afterwards. */
  async installFromClone(...args: readonly string[]): Promise<void> {
    const clone = join(this.desk.dir, "clone");
    const main = copyBuilt(clone);
    const env = {
      HOME: this.desk.dir,
      SIGNALBOX_DATA: this.data,
      ...this.#place(),
    };
    await promisify(execFile)(process.execPath, [main, "install", ...args], { env, cwd: this.project });
    rmSync(clone, { recursive: true });
  }

  /** Gives it a prompt; the model answers with these calls in one message. */
  async prompt(script: readonly Scripted[] | Model, options: Prompting = {}): Promise<Run> {
    const { text = "Please do the steps.", args = [] } = options;
    const told = ["-p", text, ...ASKING, "--output-format", "stream-json", "--verbose", ...args];
    return this.#start(script, [this.#program, ...told], options.env);
  }

  /** Starts it in a terminal, as a person does. */
  async sit(script: readonly Scripted[] | Model, options: Omit<Prompting, "text"> = {}): Promise<Seat> {
    skipFirstSteps(this.config, this.project, KEY);
    const run = await this.#start(
      script,
      inTerminal([this.#program, ...ASKING, ...(options.args ?? [])]),
      options.env,
    );
    return { run, screen: new Screen(run.child) };
  }

  async #start(
    script: readonly Scripted[] | Model,
    [command = "", ...args]: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Run> {
    const api = await playApi(script);
    this.#apis.push(api);
    const child = spawn(command, args, {
      cwd: this.project,
      env: {
        HOME: this.desk.dir,
        TERM: "xterm-256color",
        ...this.#place(),
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_AUTOUPDATER: "1",
        ...env,
      },
      stdio: [command === this.#program ? "ignore" : "pipe", "pipe", "pipe"],
    });
    this.#children.push(child);
    return new Run(child, api);
  }

  /** The approval that waits, once there is one that is not among those known. */
  async asked(known: readonly string[] = []): Promise<string> {
    for (;;) {
      const { out } = await this.desk.run(["approvals", "--json"]);
      const ids = jsonLines(out).map((each) => textAt(each, "id") ?? "");
      const found = ids.find((id) => !known.includes(id));
      if (found !== undefined) return found;
      await sleep(100);
    }
  }

  /** All approvals that wait, once there are as many. */
  async askedAll(count: number): Promise<readonly { readonly id: string; readonly input: unknown }[]> {
    for (;;) {
      const { out } = await this.desk.run(["approvals", "--json"]);
      const found = jsonLines(out).map((each) => ({
        id: textAt(each, "id") ?? "",
        input: at(each, "input"),
      }));
      if (found.length >= count) return found;
      await sleep(100);
    }
  }

  async shown(approval: string): Promise<unknown> {
    return jsonLines((await this.desk.run(["show", approval, "--json"])).out)[0];
  }

  async until(approval: string, state: string): Promise<void> {
    while (textAt(await this.shown(approval), "state") !== state) await sleep(100);
  }

  /** What became of each call, by its id, as the engine has it. */
  async calls(): Promise<Readonly<Record<string, string>>> {
    const [session] = jsonLines((await this.desk.run(["ls", "--json"])).out);
    const { out } = await this.desk.run(["ls", "calls", textAt(session, "id") ?? "", "--json"]);
    return Object.fromEntries(
      jsonLines(out).map((call) => [textAt(call, "id") ?? "", textAt(call, "execution") ?? ""]),
    );
  }

  /** True when the call that makes this file has run. */
  ran(name: string): boolean {
    return existsSync(join(this.project, name));
  }

  /** The processes of gates that wait now, by what they were started as. */
  gates(): readonly number[] {
    return this.#started("gate.cjs");
  }

  /** The same, with the shells that the client started them by: the outermost first. */
  gatesWithShells(): readonly number[] {
    return this.#started("gate");
  }

  #started(program: string): readonly number[] {
    const list = this.#children.flatMap(({ pid }) => (pid === undefined ? [] : childrenOf(pid)));
    return list.filter((pid) => commandOf(pid).includes(join(this.data, "hooks", program)));
  }

  async clear(): Promise<void> {
    for (const child of this.#children) killAll(child);
    await Promise.all(this.#apis.map((api) => api.close()));
    await this.desk.clear();
  }

  #place(): Readonly<Record<string, string>> {
    return { CLAUDE_CONFIG_DIR: this.config, PATH: `${this.#bin}:${process.env["PATH"] ?? ""}` };
  }
}

/** One run of the client. */
export class Run {
  readonly child: ChildProcess;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** All that it has printed. */
  out = "";
  readonly #api: Api;

  constructor(child: ChildProcess, api: Api) {
    this.child = child;
    this.#api = api;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.out += text));
    child.stderr?.resume();
    this.ended = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  }

  /** The session it said it is, headless. */
  get session(): string {
    return /"session_id":"([^"]+)"/.exec(this.out)?.[1] ?? "";
  }

  /** What the client told its model of its calls, in their order. */
  async results(): Promise<readonly Result[]> {
    await this.ended;
    return this.#api.results().toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** All that a process has started, and those in turn. */
export function childrenOf(pid: number): readonly number[] {
  let children: readonly number[] = [];
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const texts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"));
    children = texts.flatMap((text) => text.split(" ").filter(Boolean).map(Number));
  } catch {
    // It has ended.
  }
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}

/** In a terminal the client is a child of the terminal's own process. */
function killAll(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  for (const each of [...childrenOf(pid), pid]) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Its program and arguments; empty where it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
