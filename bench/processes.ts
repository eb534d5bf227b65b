// Processes
// Engines as people run them: processes of their own.
//
//   Owns:          starting and ending them.
//   Does not own:  what they are asked (rows).

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "adapters", "main.js");

export interface Up {
  readonly child: ChildProcess;
  readonly data: string;
  readonly url: string;
}

/** @param data its folder. @param more arguments of `up`. */
export async function up(data: string, more: readonly string[] = []): Promise<Up> {
  const args = [MAIN, "up", "--port", "0", "--data", data, ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("close", () => reject(new Error(`The engine on ${data} ended.`)));
    child.stdout.on("data", (chunk: Buffer) => {
      const said = /runs at (http:\S+[\w/])/.exec(chunk.toString());
      if (said?.[1] !== undefined) resolve(new URL(said[1]).origin);
    });
  });
  return { child, data, url };
}

export async function down({ child }: Up): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "close");
}

export const pidsOf = (engines: readonly Up[]): readonly number[] =>
  engines.flatMap(({ child: { pid } }) => (pid === undefined ? [] : [pid]));
