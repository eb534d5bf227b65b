// Passphrase
// Reads a backup's passphrase from a variable, from a file, or from the terminal, where it is not shown.
//
//   Owns:          where the passphrase is read from, the options that say where, the prompt.
//   Does not own:  which data the passphrase decrypts.
//
// CLI-PASSPHRASE-1. No argument contains a passphrase, because every account of the machine can read the arguments of a
//     process.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Command } from "commander";
import type { Context } from "./command.ts";
import { Failure } from "./failures/failure.ts";

export interface PassphraseOptions {
  readonly passphraseFile?: string;
  /** If false, the seal's key and the tokens are left out, and no passphrase is read. */
  readonly key: boolean;
}

export const withPassphrase = (command: Command, without: string): Command =>
  command
    .option(
      "--passphrase-file <file>",
      "its first line is the passphrase (default: SIGNALBOX_PASSPHRASE, else it is asked for)",
    )
    .option("--no-key", without);

/** @param isNew whether a typed passphrase must be typed twice. @returns undefined if the user gave none. */
export async function passphraseOf(
  { env, terminal }: Pick<Context, "env" | "terminal">,
  { passphraseFile, key }: PassphraseOptions,
  prompt: string,
  isNew: boolean,
): Promise<string | undefined> {
  if (!key) return undefined;
  if (passphraseFile !== undefined) return firstLine(await readFile(passphraseFile, "utf8"));
  const named = env["SIGNALBOX_PASSPHRASE"] || undefined;
  if (named !== undefined || !process.stdin.isTTY) return named;
  terminal.err(prompt);
  const typed = await hidden();
  if (typed === "" || !isNew) return typed || undefined;
  terminal.err("Once more:");
  if ((await hidden()) === typed) return typed;
  throw new Failure("The two passphrases were not the same.", "Nothing was written. Try again.");
}

function firstLine(text: string): string {
  const [line = ""] = text.split(/\r?\n/);
  if (line !== "") return line;
  throw new Failure("The passphrase file is empty.", "Put the passphrase into the first line of the file.");
}

async function hidden(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const stop = new AbortController();
  lines.once("SIGINT", () => stop.abort());
  try {
    return await lines.question("", { signal: stop.signal });
  } catch {
    throw new Failure("Stopped.", "Nothing was written.");
  } finally {
    lines.close();
  }
}
