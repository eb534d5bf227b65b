// Request program
// request-child.ts as one file that starts quickly, on request under strace or on a disk of its own.
//
//   Owns:          building and running it.
//   Does not own:  what it does (request-child), judging it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** @returns the program's path. */
export async function buildRequestChild(): Promise<string> {
  const outfile = join(await mkdtemp(join(tmpdir(), "signalbox-child-")), "child.mjs");
  const entry = join(import.meta.dirname, "request-child.ts");
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", outfile });
  return outfile;
}

export const removeRequestChild = (program: string): Promise<void> =>
  rm(dirname(program), { recursive: true });

/** Runs the child to its end. @param wrap variables, then a command to run it under. @returns its output. */
export async function runRequestChild(
  program: string,
  scenario: string,
  dir: string,
  wrap: readonly string[] = [],
): Promise<readonly string[]> {
  // One thread for the files: strace counts calls per thread.
  const env = { ...process.env, UV_THREADPOOL_SIZE: "1" };
  const args = [...wrap, process.execPath, program, scenario, dir];
  const started = spawn("env", args, { stdio: ["ignore", "pipe", "ignore"], env });
  let said = "";
  started.stdout.on("data", (data: Buffer) => (said += data.toString()));
  await once(started, "close");
  return said.trim().split("\n");
}
