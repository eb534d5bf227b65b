// Command
// What all commands have in common: options, the context, the connection to an engine, doing one action for several ids.
//
//   Owns:          the options that several commands have, the context, an example in every help text.
//   Does not own:  what one particular command does.

import { Command, InvalidArgumentError } from "commander";
import { isId } from "../../machines/index.ts";
import { ID_RULE } from "../../runtime/door/schemas.ts";
import type { Client } from "./client.ts";
import { connect, type Target } from "./connection.ts";
import { Failure, reasonText, misused, reasonOf } from "./failures/failure.ts";
import type { Terminal } from "./output/terminal.ts";
import type { Wiring } from "./wiring.ts";

export interface Context {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly wiring: Wiring;
  readonly now: () => number;
  /** Sets the program's exit code; does nothing if the code is 0. */
  readonly exitWith: (code: number) => void;
}

export interface OfFolder {
  readonly data?: string;
  readonly json?: boolean;
}

export interface Common extends Target {
  readonly json?: boolean;
}

/** A command that connects to an engine. @param example what follows `signalbox` in the example. */
export function clientCommand(name: string, summary: string, example: string): Command {
  return plainCommand(name, summary, example)
    .option("--url <url>", "the engine's address (default: the data folder's, else http://127.0.0.1:4280)")
    .option("--json", "print JSON, one value a line")
    .option("--data <dir>", "the engine's data folder, for its token and address")
    .option("--engine <name>", "one of the other engines that the engine shows, too");
}

export const folderCommand = (
  name: string,
  summary: string,
  example: string,
  json = "print JSON, one value a line",
): Command =>
  plainCommand(name, summary, example)
    .option("--data <dir>", "the engine's data folder")
    .option("--json", json);

export function plainCommand(name: string, summary: string, example: string): Command {
  return new Command(name)
    .description(summary)
    .addHelpText("after", `\nExample:\n  $ npx signalbox ${example}`);
}

export function groupCommand(
  name: string,
  summary: string,
  example: string,
  actions: readonly Command[],
): Command {
  const group = plainCommand(name, summary, example).helpCommand(false);
  for (const action of actions) group.addCommand(action);
  return group;
}

export function engineOf({ env, wiring, terminal }: Context, options: Common): Promise<Client> {
  const told = new Set<string>();
  return connect(options, env, wiring, (engines) => {
    for (const engine of engines)
      if (!told.has(engine)) terminal.err(`Not all is shown: ${engine} does not answer.`);
    for (const engine of engines) told.add(engine);
  });
}

/**
 * Runs `act` for each item. If one item fails, its Failure is printed, and the next item follows.
 * @throws the Failure if there is only one item.
 */
export async function each<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  { terminal, exitWith }: Context,
): Promise<void> {
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (!(error instanceof Failure) || items.length === 1) throw error;
      terminal.err(reasonText(reasonOf(error)));
      exitWith(1);
    }
  }
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      `The value must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`}.`,
    );
  };
}

export function workspaceId(text: string): string {
  if (isId(text)) return text;
  throw new InvalidArgumentError(`It ${ID_RULE}.`);
}

export function workspaceOfShell(env: NodeJS.ProcessEnv): string | undefined {
  const named = env["SIGNALBOX_WORKSPACE"] || undefined;
  if (named === undefined || isId(named)) return named;
  throw misused(
    `SIGNALBOX_WORKSPACE is no workspace id: it ${ID_RULE}.`,
    "Name a workspace: --workspace ID.",
  );
}
