// Gate main
// The program of a client's hook that waits:
// `gate --data DIR --timeout SECONDS --proof 1 [--closed ask|deny] [--workspace NAME] [--client NAME] [--pid N]`.
//
//   Owns:          the process: its input, its clock, its end; whether the client still runs.
//   Does not own:  waiting for the answer (gate), the client's words (its profile), the connection to the engine (engine-of).
//
// GATE-MAIN-1. The program is bundled into one file without the engine, and starts as fast as Node does.
// GATE-MAIN-2. The program prints its answer and exits with 0, or exits with 2. A failure never leads to a printed answer.
// GATE-MAIN-3. The program ends when its client has ended, and when the client ends it, for example because the user has answered
//     at the terminal. Before it ends, it reports to the engine that nobody waits any more.
// GATE-MAIN-4. The command line names the version of the proof by which the engine must prove itself. If this program does not
//     support that version, it lets no call run.
// GATE-MAIN-5. All settings come from the command line, and none from environment variables, which a project's settings can set.

import { randomBytes } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "./data-folder/place.ts";
import { engineOf } from "./composition/engine-of.ts";
import { profiles } from "./composition/profiles.ts";
import { isCode } from "../runtime/errors/system-codes.ts";
import type { GateForm } from "../runtime/gate-form.ts";
import { ASKER_MS } from "../runtime/gate/times.ts";
import { HANDSHAKE_VERSION } from "../runtime/line/handshake.ts";
import { type Closed, leaveBehind, Line, waitForAnswer } from "./gate/index.ts";

const FAILED = 2;

interface Options {
  readonly data: string;
  readonly timeoutMs: number;
  readonly closed: Closed;
  readonly workspace: string | undefined;
  /**
   * The client that started the gate. Undefined for gates of earlier versions, which are for the first client of
   * runtime/clients.ts.
   */
  readonly client: string | undefined;
  readonly form: GateForm;
  readonly clientPid: string | undefined;
}

/** @throws Error for a command line that `install` did not write. */
function optionsOf(args: readonly string[]): Options {
  const given = (name: string): string | undefined => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : (args[at + 1] ?? "");
  };
  const [data, timeout, closed = "deny"] = [given("data"), Number(given("timeout")), given("closed")];
  const [workspace, client] = [given("workspace"), given("client")];
  const profile = client === undefined ? profiles[0] : profiles.find(({ name }) => name === client);
  const form = profile?.gate;
  const [clientPid] = /^[1-9]\d{0,8}$/.exec(given("pid") ?? "") ?? [];
  if (
    !data ||
    form === undefined ||
    workspace === "" ||
    !(timeout * 1000 > ASKER_MS.spare) ||
    (closed !== "ask" && closed !== "deny")
  )
    throw new Error(
      "usage: gate --data DIR --timeout S --proof 1 [--closed ask|deny] [--workspace NAME] [--client NAME]",
    );
  if (given("proof") !== String(HANDSHAKE_VERSION))
    throw new Error(
      "Signalbox let nothing run: this hook was put in by another version. Put it in again: npx signalbox install",
    );
  return { data, timeoutMs: timeout * 1000, closed, workspace, client, form, clientPid };
}

/** Reads standard input (GATE-MAIN-1). Node's streams are slow to open, so one is used only for a pipe that does not block. */
async function input(): Promise<Buffer> {
  try {
    return readFileSync(0);
  } catch (error) {
    if (!isCode(error, "EAGAIN")) throw error;
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

async function print(text: string): Promise<void> {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    if (!isCode(error, "EAGAIN")) throw error;
    await new Promise<void>((resolve) => process.stdout.write(rest, () => resolve()));
  }
}

/** Ends the gate once its client or its parent process has ended (GATE-MAIN-3). */
function endWithClient(clientPid: number | undefined): void {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid !== parent || (clientPid !== undefined && !isThere(clientPid))) goAway();
  }, ASKER_MS.look);
  look.unref();
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

let leave = (): Promise<void> => Promise.resolve();
let isLeaving = false;

/** Ends the gate without printing anything, because nobody reads its output any more. */
function goAway(): void {
  if (isLeaving) return;
  isLeaving = true;
  leave()
    .catch(() => undefined)
    .finally(() => process.exit(FAILED));
}

async function run(): Promise<void> {
  const { data, timeoutMs, closed, workspace, client, form, clientPid } = optionsOf(process.argv.slice(2));
  // `deadline` is compared with `performance.now`, which counts from the start of the process.
  const deadline = timeoutMs - ASKER_MS.spare;
  const body = await input();
  // Handlers of signals are set only after the input was read: until then, a signal must end the process at once.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, goAway);
  endWithClient(clientPid === undefined ? undefined : Number(clientPid));
  const { inputHash, printed } = form.read(body);
  const more = client === undefined ? undefined : { client };
  const second = Math.floor(Date.now() / 1000);
  const id = `g_${second.toString(36)}_${randomBytes(12).toString("hex")}`;
  const engine = new Line(engineOf(dataFolder(data, {})), {
    id,
    body,
    workspace,
    onDeadline: closed,
    ...(more && { more }),
  });
  leave = () => engine.leave(ASKER_MS.leave);
  const { verdict, isLocal } = await waitForAnswer({
    engine,
    inputHash,
    closed,
    deadline,
  });
  if (isLeaving) return;
  if (isLocal)
    await leaveBehind(join(data, "spool"), `${second}-${process.pid}`, {
      approvalId: id,
      closed: verdict.type === "ask" ? "ask" : "deny",
      workspace,
      clientPid,
      body,
      ...(more && { more }),
    }).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  if ("why" in verdict) process.stderr.write(`${verdict.why}\n`);
  await print(printed(verdict));
  // The client has the printed answer, and the hook reports that to the engine.
  if (verdict.type === "allow" || verdict.type === "deny") await engine.taken(ASKER_MS.passedOn);
}

const fail = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(FAILED);
};
process.on("uncaughtException", fail);
run().then(() => {
  if (!isLeaving) process.exit(0);
}, fail);
