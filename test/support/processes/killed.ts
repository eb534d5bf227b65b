// Killed
// Runs an engine in a process that does not end well, and compares what two runs have in common.
//
//   Owns:          running the child to its end; the part of rows and changes that does not depend on the run.
//   Does not own:  what the child does (engine-child), judging.

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { OutgoingChange } from "../../../runtime/ports.ts";

const CHILD = new URL("engine-child.ts", import.meta.url).pathname;
/** A child that hangs is killed after this and fails the test by its signal. */
const HANGS_AFTER_MS = 150_000;

interface Ended {
  readonly by: number | NodeJS.Signals | null;
  readonly lines: readonly string[];
}

export async function runChild(args: readonly string[], wrap: readonly string[] = []): Promise<Ended> {
  const child = spawn("env", [...wrap, process.execPath, "--import", "tsx", CHILD, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    // One lmdb thread only, because strace counts calls per thread.
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
  const hangs = setTimeout(() => child.kill("SIGKILL"), HANGS_AFTER_MS);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(hangs);
  return { by: code ?? signal, lines: Buffer.concat(parts).toString("utf8").trimEnd().split("\n") };
}

/** What must equal the undisturbed run: a repeated message only takes a journal position and counts. */
const PLACED = /^(meta|seen|change|mark|published|quota|proof|build)(\/|$)/;
export const unplaced = (rows: ReadonlyMap<string, string>) =>
  [...rows]
    .filter(([key]) => !PLACED.test(key))
    .map(([key, text]) => [key, text.replace(/"position":\d+/g, '"position":0')] as const);

/** A change without its positions in journal and log, and without its epoch. */
export const contentOf = ({
  messageId,
  subject,
  body,
}: Pick<OutgoingChange, "messageId" | "subject" | "body">) => {
  const { n: _n, turn: _turn, epoch: _epoch, ...content } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({ messageId, subject, content });
};
