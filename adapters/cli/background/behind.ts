// Behind
// Runs an engine in the background: the command starts a background process and ends; that process then keeps the engine
// running, without a terminal.
//
//   Owns:          what the command's process and the background process do and print.
//   Does not own:  which process may run the folder's engine (claim), starting a process (detach), restarts (supervisor).
//
// BEHIND-1. If two commands start an engine on one folder at the same time, only one of the engines goes on. The command whose
//     engine ended prints the address of the engine that runs, and ends.
// BEHIND-2. No output contains a token: a printed link signs a browser in only once (CLI-SIGN-IN-1). Output that does not go to
//     a screen, such as a service's log, contains no link, because other users may read the panel's name there (PANEL-NAME-1).

import { Client } from "../client.ts";
import { otherDoors } from "../hooks-text.ts";
import type { Context } from "../command.ts";
import { Failure, reasonText } from "../failures/failure.ts";
import { runningOn } from "../running.ts";
import { signIn } from "../sign-in.ts";
import { type Note, tellSupervisor } from "../supervisor/child.ts";
import type { Folder } from "../wiring.ts";
import { BoundedLog, logTerminal } from "./bounded-log.ts";
import { Claim } from "./claim.ts";
import { detach, type Detached } from "./detach.ts";
import { pasted } from "../../../runtime/text/quoted.ts";

export interface Behind extends Context {
  readonly output?: (chunk: Uint8Array) => void;
  readonly told?: (note: Note) => void;
  /** A signal that is aborted if this process is asked to stop, perhaps before the engine is supervised (SUPERVISOR-4). */
  readonly stopping?: AbortSignal;
}

/** @returns the ready engine, or why it is not ready. @throws Failure if an engine already runs on the folder. */
export async function startBehind(
  folder: Folder,
  context: Context,
): Promise<Detached | { readonly said: string }> {
  const [holder, url] = await Promise.all([holderOf(folder, context), runningOn(folder)]);
  const keeper = holder?.isAlive === true ? holder.pid : undefined;
  if (keeper !== undefined || url !== undefined) throw already(folder, keeper, url);
  await folder.make();
  if (holder?.isAlive === false) context.terminal.err(lastText(holder.pid));
  const args = [...process.argv.slice(2), "--detached"];
  return detach(args, folder.log, (note) => {
    if (note.type === "waiting") context.terminal.err(reasonText(note));
  });
}

export async function runBehind(
  folder: Folder,
  context: Context,
  run: (within: Behind) => Promise<number>,
): Promise<number> {
  const log = new BoundedLog(folder.log);
  const claim = new Claim(folder.upNote, context.wiring.markOf);
  const terminal = logTerminal(log, context.now);
  const holder = await claim.holder();
  if (holder?.isAlive === false) terminal.out(lastText(holder.pid));
  const other = await claim.take(process.pid);
  if (other !== undefined) throw already(folder, other, undefined);
  const told = (note: Note): void => {
    if (note.type === "ready") void claim.confirm(process.pid);
    void tellSupervisor(note);
  };
  try {
    return await run({ ...context, terminal, output: (chunk) => log.append(chunk), told });
  } finally {
    await claim.drop(process.pid);
  }
}

/** The option that names the data folder in a command; empty for the default folder. */
export const dataOption = ({ isDefault, dir }: Pick<Folder, "isDefault" | "dir">): string =>
  isDefault ? "" : ` --data ${pasted(dir)}`;

export async function behindText(
  url: string,
  pid: number,
  folder: Folder,
  { names, isScreen }: { readonly names: readonly string[]; readonly isScreen: boolean },
): Promise<string> {
  const data = dataOption(folder);
  return [
    `Signalbox runs at ${url}, in the background (process ${pid}). Its data is in ${folder.dir}, its log in ${folder.log}.`,
    `  npx signalbox down${data}`,
    "    ends it",
    `  npx signalbox install${data}`,
    "    connects Claude Code, once",
    ...otherDoors(data).map((line) => `  ${line}`),
    "",
    ...(await browserLines(url, folder, isScreen)),
    ...names.map((name) => othersLine(name, url)),
  ].join("\n");
}

export async function browserLines(
  url: string,
  folder: Folder,
  isScreen: boolean,
): Promise<readonly string[]> {
  const exchange = isScreen ? await folder.engine().catch(() => undefined) : undefined;
  const made = exchange && signIn(new Client(exchange, url, folder.dir), "here");
  const link = (await made?.catch(() => undefined))?.link;
  return [
    ...(link === undefined ? [] : [`In a browser, once, within five minutes: ${link}`]),
    `  npx signalbox open${dataOption(folder)}`,
    `    ${link === undefined ? "opens the panel in a browser" : "gives another link"}`,
  ];
}

/**
 * The line that says how others reach the engine.
 * @param name a proxy's origin, or a host name, to which the engine's own port is added.
 */
export function othersLine(name: string, url: string): string {
  if (name.startsWith("https://"))
    return `Others: ${name}/?token=… with a token of their own (npx signalbox token ls)`;
  const origin = name.includes("://") ? name : `http://${name}:${new URL(url).port}`;
  return `Others: ${origin} for programs with this folder's key. People need https: --name https://HOST`;
}

export async function keeperOf(folder: Folder, { wiring }: Context): Promise<number | undefined> {
  const holder = await holderOf(folder, { wiring });
  return holder?.isAlive === true ? holder.pid : undefined;
}

const holderOf = ({ upNote }: Folder, { wiring }: Pick<Context, "wiring">) =>
  new Claim(upNote, wiring.markOf).holder();

const lastText = (pid: number): string =>
  `The engine before this one ended without closing: process ${pid}, which kept it running, was killed, or the machine went down. No acknowledged message is lost.`;

const endingOf = (folder: Folder, pid: number | undefined): string =>
  pid === undefined
    ? "End the engine where it was started: press Ctrl-C there, or stop the service that keeps it running"
    : `It runs in the background (process ${pid}): end it with \`npx signalbox down${dataOption(folder)}\``;

export const endedText = (folder: Folder, pid: number): string =>
  `No engine runs on ${folder.dir}: process ${pid}, which kept one running in the background, ended without closing it (killed, or out of memory, or the machine went down). ` +
  `Nothing acknowledged is lost. Its log: ${folder.log}. Start it again: npx signalbox up -d${dataOption(folder)}`;

export const already = (folder: Folder, pid: number | undefined, url: string | undefined): Failure =>
  new Failure(
    `An engine already runs on ${folder.dir}${url === undefined ? "" : `, at ${url}`}.`,
    `${endingOf(folder, pid)}; or give the new engine another folder with --data.`,
  );
