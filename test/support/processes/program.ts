// Program
// Runs the built command line as its users do: a separate process, its exit code, its output.
//
//   Owns:          building it once, starting and ending processes.
//   Does not own:  what the processes do.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { textAt } from "../engine/json.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const MAIN = join(ROOT, "dist", "adapters", "main.js");

const BUILDING = join(
  tmpdir(),
  `signalbox-build-${createHash("sha256").update(ROOT).digest("hex").slice(0, 12)}`,
);
/** Made by a build, and as old as the beginning of that build. */
const BUILT = join(ROOT, "dist", ".built");
const BUILD_MAX_MS = 120_000;

/** Builds if anything has changed; test files that run side by side take turns. */
export async function build(): Promise<void> {
  while (!beginBuilding()) await sleep(100);
  try {
    const startedAt = new Date();
    if (newestSource() < (statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0)) return;
    await new Promise<void>((resolve) => {
      // The linter and `npm run verify` report type errors; only behaviour counts here.
      execFile("npx", ["tsc", "-p", "tsconfig.build.json"], { cwd: ROOT }, () => resolve());
    });
    await promisify(execFile)("npm", ["run", "bundle"], { cwd: ROOT });
    writeFileSync(BUILT, "");
    utimesSync(BUILT, startedAt, startedAt);
  } finally {
    rmSync(BUILDING, { recursive: true, force: true });
  }
}

/** When a file of the build was last written, ms. */
function newestSource(): number {
  const folders = ["machines", "runtime", "adapters"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(ROOT, folder, path),
    ),
  );
  return Math.max(...[...folders, join(ROOT, "tsconfig.json")].map((path) => statSync(path).mtimeMs));
}

/** @returns false while another one builds; a killed one is not waited for. */
function beginBuilding(): boolean {
  try {
    mkdirSync(BUILDING);
    return true;
  } catch {
    const since = statSync(BUILDING, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > BUILD_MAX_MS) rmSync(BUILDING, { recursive: true, force: true });
    return false;
  }
}

/** Copies what was built, to be run from elsewhere. @returns the program there. */
export function copyBuilt(to: string): string {
  for (const name of ["dist", "package.json"]) cpSync(join(ROOT, name), join(to, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(to, "node_modules"));
  return join(to, "dist", "adapters", "main.js");
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A started command, and what it has printed so far. */
export class Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = "";
  err = "";
  readonly #waiting = new Set<() => void>();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#hear((this.out += text)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#hear((this.err += text)));
    this.ended = new Promise((resolve) => {
      child.once("close", (code) => {
        this.#hear("");
        resolve({ code, out: this.out, err: this.err });
      });
    });
  }

  /** The first match of `pattern` in its output, once it is there; rejects if the process ends without it. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.out) ?? pattern.exec(this.err);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(
          `It ended (${this.child.exitCode ?? this.child.signalCode}) without ${pattern}:\n${this.out}${this.err}`,
        );
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Forgets what was printed so far. */
  forget(): void {
    this.out = "";
    this.err = "";
  }

  #hear(_: string): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Leaves standard input open. */
  readonly keepInput?: boolean;
  /** Put before the program, such as a shell that limits it. */
  readonly before?: readonly string[];
  /** Default: the built one. */
  readonly program?: string;
}

/** Commands that share one data folder, and end with it. */
export class Desk {
  readonly dir = mkdtempSync(join(tmpdir(), "signalbox-"));
  /** The arguments of each command that was given here, in order. */
  readonly given: (readonly string[])[] = [];
  readonly #started: Started[] = [];

  start(
    args: readonly string[],
    { env = {}, input, keepInput = false, before = [], program = MAIN }: Surroundings = {},
  ): Started {
    this.given.push(args);
    const [command = "", ...rest] = [...before, process.execPath, program, ...args];
    const child = spawn(command, rest, {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], HOME: this.dir, SIGNALBOX_DATA: join(this.dir, "data"), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (!keepInput) child.stdin.end(input);
    const started = new Started(child);
    this.#started.push(started);
    return started;
  }

  run(args: readonly string[], surroundings?: Surroundings): Promise<Ended> {
    return this.start(args, surroundings).ended;
  }

  /** Emits one event of a service's own session. */
  emit(type: string, data: object, subject = "shop/chat-7", ...args: readonly string[]): Promise<Ended> {
    return this.run(["emit", type, "--subject", subject, "--body", JSON.stringify(data), ...args]);
  }

  /** An engine on the desk's folder with the built-in journal, ready. @returns it and its address. */
  async up(...args: readonly string[]): Promise<{ readonly engine: Started; readonly url: string }> {
    const engine = this.start(["up", "--nats", "off", "--port", "0", ...args]);
    const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
    return { engine, url };
  }

  /** The id of the first approval that waits, once one does. */
  async waiting(): Promise<string> {
    for (;;) {
      const [found] = jsonLines((await this.run(["approvals", "--json"])).out);
      if (found !== undefined) return textAt(found, "id") ?? "";
      await sleep(50);
    }
  }

  /** What `show` prints of it now. */
  async shown(id: string): Promise<unknown> {
    return jsonLines((await this.run(["show", id, "--json"])).out)[0];
  }

  /** The same, once it is in that state. */
  async shownAs(id: string, state: string): Promise<unknown> {
    for (;;) {
      const shown = await this.shown(id);
      if (textAt(shown, "state") === state) return shown;
      await sleep(50);
    }
  }

  /** Ends everything that still runs. */
  async clear(): Promise<void> {
    for (const { child } of this.#started) child.kill("SIGTERM");
    await Promise.all(this.#started.map(({ ended }) => ended));
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The JSON lines of an output. */
export function jsonLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
}
