// Terminal
// The client in a terminal of its own: what a person types there, and what stands on the screen.
//
//   Owns:          the terminal (by `script`, which every system has), the client's first steps skipped.
//   Does not own:  starting and ending it (claude.ts).

import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * @returns the command that runs this one in a terminal. The terminal itself shows nothing of what is typed: an older
 *     client draws its prompt before it reads, and a key that ends the prompt would come too early.
 */
export function inTerminal(command: readonly string[]): readonly string[] {
  const line = `stty -echo cols 120 rows 40; exec ${command.map(quoted).join(" ")}`;
  return process.platform === "darwin"
    ? ["script", "-q", "/dev/null", "sh", "-c", line]
    : ["script", "-qfec", line, "/dev/null"];
}

/** Nobody is asked for a theme, for trust in the folder, or about the key. */
export function skipFirstSteps(config: string, project: string, key: string): void {
  const known = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(config, ".claude.json"), JSON.stringify(known));
}

/** What a terminal obeys and does not show. */
const CONTROL = /\u001b\][^\u0007]*\u0007|\u001b[[(][0-9;?]*[A-Za-z]|[\u0000-\u001f]/g;

/** How long a person reads at least. */
const READING_MS = 1_500;

export class Screen {
  readonly #child: ChildProcess;
  #shown = "";

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on("data", (text: string) => (this.#shown += text));
  }

  /** What was drawn so far, without blanks: the client moves over those. */
  get text(): string {
    return this.#shown.replace(CONTROL, "").replaceAll(/\s/g, "");
  }

  /** Once this has been drawn since the last call. */
  async shows(text: string): Promise<void> {
    while (!this.text.includes(text.replaceAll(" ", ""))) await sleep(50);
    this.#shown = "";
  }

  /** Answers the question that is drawn: the client takes no key at once, lest one meant for something else counts. */
  async answer(key: string): Promise<void> {
    await this.shows("Do you want to proceed?");
    await sleep(READING_MS);
    this.type(key);
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Types it until it has done something: the client draws a dialog anew when a hook ends, and loses a key of that moment. */
  async insist(keys: string, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      this.type(keys);
      await sleep(500);
    }
  }

  /** A prompt, and the key that sends it: typed at once the client takes both for pasted text. */
  async send(prompt: string): Promise<void> {
    this.type(prompt);
    await this.shows(prompt);
    this.type("\r");
  }
}
