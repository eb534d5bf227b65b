// Server process
// One run of the nats-server program, from its start to its end.
//
//   Owns:          the child process, the last lines that it printed.
//   Does not own:  the server's configuration, starting a new process after the end (private-server.ts).

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface Ended {
  readonly why: string;
  readonly livedMs: number;
}

const SAID_MAX = 2_000;
const LOOK_MS = 20;
/** How long a start may take, ms: the server first reads its store, which may have many messages. */
const ANSWERS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 10_000;

export class ServerProcess {
  readonly ended: Promise<Ended>;
  /** The id of the process; undefined if the process could not be started. */
  readonly pid: number | undefined;
  readonly #child: ChildProcess;
  #said = "";
  #isOver = false;

  constructor(program: string, configFile: string) {
    const startMs = performance.now();
    // In a process group of its own, the server gets no Ctrl-C: a terminal sends that signal to its whole foreground group.
    const child = spawn(program, ["-c", configFile], { stdio: ["ignore", "ignore", "pipe"], detached: true });
    this.#child = child;
    this.pid = child.pid;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#said = (this.#said + text).slice(-SAID_MAX);
    });
    const endWithUs = (): void => void child.kill("SIGKILL");
    process.once("exit", endWithUs);
    this.ended = new Promise((resolve) => {
      const over = (why: string): void => {
        this.#isOver = true;
        process.off("exit", endWithUs);
        resolve({ why, livedMs: performance.now() - startMs });
      };
      child.once("error", (error) => {
        this.#said += error.message;
        over(error.message);
      });
      child.once("close", (code, signal) =>
        over(signal === null ? this.#lastWord(code) : `it was ended by ${signal}`),
      );
    });
  }

  /**
   * Waits until the server answers.
   * @param isThere whether the server has its port.
   * @returns false if the server ended, or did not answer in a minute.
   */
  async answers(isThere: () => boolean): Promise<boolean> {
    for (let waitedMs = 0; !this.#isOver && waitedMs < ANSWERS_WITHIN_MS; waitedMs += LOOK_MS) {
      if (isThere()) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }

  /**
   * Asks the server to end, then kills it.
   * @returns the server's last output lines about errors; if there are none, the server's last output lines.
   */
  async end(): Promise<string> {
    if (!this.#isOver) {
      this.#child.kill("SIGTERM");
      const late = setTimeout(() => this.#child.kill("SIGKILL"), ENDS_WITHIN_MS);
      await this.ended;
      clearTimeout(late);
    }
    const lines = this.#said.trim().split("\n");
    const trouble = this.#trouble();
    return (trouble.length > 0 ? trouble : lines).slice(-3).join("\n");
  }

  #trouble(): readonly string[] {
    return this.#said.split("\n").filter((line) => /\[(FTL|ERR)\]/.test(line));
  }

  #lastWord(code: number | null): string {
    const [, said] = /\[(?:FTL|ERR)\] (.*)/.exec(this.#trouble().at(-1) ?? "") ?? [];
    return `it ended with exit code ${code ?? "unknown"}${said === undefined ? "" : ` (${said})`}`;
  }
}
