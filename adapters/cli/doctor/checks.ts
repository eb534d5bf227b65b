// Checks
// The doctor's checks of this machine, from the installed program and the folder's disk to the hooks and the port.
//
//   Owns:          what each check looks at, the limits and the words of each check.
//   Does not own:  reading facts about the machine (wiring), what a running engine reports about itself (running.ts).
//
// DOCTOR-CHECKS-1. The doctor's checks change nothing, with one exception: like every command, they close the user's own data
//     folder (mode 700) if other users could open it.
// DOCTOR-CHECKS-2. Each finding other than `ok` says what to do next.
// DOCTOR-CHECKS-3. If a check throws, its error becomes a finding, and the other checks go on.
// DOCTOR-CHECKS-4. The check of a port sends nothing secret. Of the answer it uses only the code in the field `waitsFor`, and
//     only if that is one of Signalbox's codes, because any program may listen at the port.

import { z } from "zod";
import { as, DEFAULT_PORT } from "../connection.ts";
import { againText, hooksStatusFor, wrongScopes } from "../hooks-text.ts";
import { dataOption } from "../background/behind.ts";
import type { Hooks } from "../hooks-form.ts";
import { type Found, settingsOf } from "../settings/file.ts";
import { serverIn } from "../settings/origins.ts";
import type { Settings } from "../settings/table.ts";
import { readinessAt } from "../running.ts";
import { plural } from "../wording.ts";
import type { Disk, Folder, Wiring } from "../wiring.ts";
import { AWAITED, type Awaited } from "../../../runtime/errors/trouble.ts";
import { keptFree } from "../../../runtime/limits.ts";
import { type Finding, type Findings, look, ok, tried, wrong } from "./finding.ts";

/** If the engine's disk has less free space than this, users should look: the engine will soon stop accepting input. */
const ROOM_LOOK_BYTES = 1024 * 1024 * 1024;
const SYNC_SLOW_MS = 50;
/** A write that is durable in less than this time cannot have reached the disk. */
const SYNC_FAST_MS = 0.02;
/** The oldest Node that package.json allows. */
const NODE_MIN = [20, 19] as const;
const ANSWER_MS = 5_000;

type Looked = Pick<
  Wiring,
  "version" | "machine" | "agents" | "hooks" | "findClient" | "readOwn" | "shownAddress"
> & { readonly natsServer: Pick<Wiring["natsServer"], "find"> };
export type LookedFolder = Pick<Folder, "dir" | "isDefault" | "engine" | "binding" | "tokens" | "settings">;

export interface Looking {
  readonly wiring: Looked;
  readonly folder: LookedFolder;
  readonly env: NodeJS.ProcessEnv;
  readonly engine: string | undefined;
}

export async function* checked(looking: Looking): AsyncGenerator<Finding> {
  for (const [check, make] of Object.entries(CHECKS)) yield* await tried(check, () => make(looking));
}

const CHECKS: Readonly<Record<string, (looking: Looking) => Findings | Promise<Findings>>> = {
  program: ({ wiring: { version, machine } }) => {
    const [major = 0, minor = 0] = machine.node.split(".").map(Number);
    const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
    const found = `Signalbox ${version} on Node ${machine.node}`;
    if (!isOld) return ok("program", found);
    const next = `Install Node ${NODE_MIN.join(".")} or newer: Signalbox is not tested with older ones.`;
    return wrong("program", found, next);
  },
  folder: async ({ folder }) => {
    // `folder.engine` throws if the data folder belongs to another user, or if other users can write in it.
    await folder.engine();
    if ((await folder.binding()) !== undefined) return ok("folder", `${folder.dir} is yours alone`);
    const next = `Start an engine: npx signalbox up -d${dataOption(folder)}`;
    return look("folder", `${folder.dir} is not made yet`, next);
  },
  disk: async ({ folder, wiring }) => {
    const disk = await wiring.machine.disk(folder.dir);
    if (!disk) return undefined;
    const syncMs = disk.kind === "memory" ? undefined : await wiring.machine.syncTime(folder.dir);
    const sync = syncMs === undefined ? undefined : syncOf(folder, syncMs);
    return [roomIn(folder, disk), kindOf(folder, disk.kind), sync];
  },
  config: async (looking) => {
    const { said, file, isFileThere } = await toldIn(looking);
    if (!isFileThere) return ok("config", `${file} is not there: none is needed`);
    const from = Object.values(said).filter((each) => each.from === "file").length;
    return ok("config", `${file}: ${plural(from, "setting")}, all of them known`);
  },
  notifier: async (looking) => {
    const { notifyCmd, checkpointCmd } = await settingsIn(looking);
    const said = Object.entries({ "notify-cmd": notifyCmd, "checkpoint-cmd": checkpointCmd });
    return Promise.all(said.map((each) => commandIn(each, looking.wiring)));
  },
  journal: async (looking) => {
    const { folder, wiring } = looking;
    const binding = await folder.binding();
    if (!binding) return undefined;
    if (binding.kind === "private") {
      const found = await wiring.natsServer.find();
      if (found) return ok("journal", `a nats-server of its own: ${found.path}, ${found.version}`);
      return wrong(
        "journal",
        "The folder's journal is with a nats-server, and none is on the PATH",
        "Install nats-server, or put its folder on the PATH.",
      );
    }
    if (binding.kind !== "server")
      return ok("journal", "in the folder: each write is on the disk before it is confirmed");
    if (serverIn(await settingsIn(looking)) !== undefined)
      return ok("journal", `the NATS server at ${binding.at}`);
    return look(
      "journal",
      `The folder's journal is the NATS server at ${binding.at}, and SIGNALBOX_NATS_URL is not set here`,
      "Set SIGNALBOX_NATS_URL, or set natsUrlFile in the settings file (docs/reference/configuration.md says how).",
    );
  },
  hooks: async ({ folder, wiring }) => {
    // Only the hooks of the first agent, Claude Code, depend on its client's version, so only this client is asked for it.
    const each = wiring.agents.map(({ agent }, n) =>
      hooksIn(wiring.hooks(folder.dir, agent), folder, n === 0 ? wiring : undefined),
    );
    const found = (await Promise.all(each)).flat();
    if (found.length > 0) return found;
    return look(
      "hooks",
      "No agent's hooks are in",
      `Put them in: npx signalbox install${dataOption(folder)}`,
    );
  },
  port: async (looking) => {
    const { engine, wiring } = looking;
    const { port = DEFAULT_PORT } = await settingsIn(looking);
    if (engine !== undefined || port === 0 || !(await wiring.machine.isTaken(port))) return undefined;
    const awaited = await startingAt(port);
    const found = `Another program listens on port ${port} of this machine`;
    return awaited ?? look("port", found, "Give the engine another port: npx signalbox up --port 4281.");
  },
  token: async ({ engine, env, folder }) => {
    const people = await folder.tokens();
    const count = `${people.length === 0 ? "nobody has" : people.length === 1 ? "one person has" : `${people.length} people have`} a token of their own`;
    const token = env["SIGNALBOX_TOKEN"];
    const exchange = token && engine !== undefined ? await folder.engine() : undefined;
    if (!token || !exchange) return ok("token", count);
    const withToken = as(token, exchange);
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { status } = await withToken({ method: "GET", path: "/v1/stats", signal });
    if (status !== 401) return ok("token", `${count}; the engine takes the one in SIGNALBOX_TOKEN`);
    return wrong(
      "token",
      "The engine does not take the token in SIGNALBOX_TOKEN",
      "Unset SIGNALBOX_TOKEN, or make a token: npx signalbox token add NAME.",
    );
  },
};

const toldIn = ({ folder, env, wiring }: Looking): Promise<Found> => settingsOf({}, folder, { env, wiring });

/** The settings; empty if they are wrong, because only the check `config` reports wrong settings. */
const settingsIn = async (looking: Looking): Promise<Settings> =>
  (await toldIn(looking).catch(() => undefined))?.settings ?? {};

const waiting = z.looseObject({ ready: z.literal(false), waitsFor: z.enum(AWAITED) });

const MAKE_ROOM = "Make room on the engine's disk; the engine then starts by itself.";
const MAKE_WRITABLE =
  "Make the engine's disk and folder writable for its user; the engine then starts by itself.";
const AWAITED_NEXT: Readonly<Record<Awaited, string>> = {
  FOLDER_FULL: MAKE_ROOM,
  FOLDER_READ_ONLY: MAKE_WRITABLE,
  STORE_FULL: MAKE_ROOM,
  STORE_READ_ONLY: MAKE_WRITABLE,
  NATS_UNAVAILABLE:
    "Start the NATS server, or check its address, account and password; the engine then starts by itself.",
};

/** @returns why the engine that listens at the port cannot start yet; undefined if no engine waits at the port. */
async function startingAt(port: number): Promise<Finding | undefined> {
  try {
    const { waitsFor } = waiting.parse(await readinessAt(`http://127.0.0.1:${port}`));
    const found = `An engine waits to start at port ${port} (${waitsFor})`;
    return { ...wrong("port", found, AWAITED_NEXT[waitsFor]), code: waitsFor };
  } catch {
    return undefined;
  }
}

function roomIn({ dir }: LookedFolder, { freeBytes, sizeBytes }: Disk): Finding {
  const free = `${Math.floor(freeBytes / 1024 / 1024).toLocaleString("en")} MB are free under ${dir}`;
  if (freeBytes < keptFree(sizeBytes))
    return wrong(
      "disk",
      `${free}: the engine takes nothing in`,
      "Free some room: npx signalbox sweep, then npx signalbox compact.",
    );
  return freeBytes < ROOM_LOOK_BYTES
    ? look("disk", free, "See what is old enough to be removed: npx signalbox sweep --dry-run.")
    : ok("disk", free);
}

function kindOf({ dir }: LookedFolder, kind: Disk["kind"]): Finding {
  switch (kind) {
    case "disk":
      return ok("disk", "its content outlives the machine's end");
    case "memory":
      return wrong(
        "disk",
        `${dir} lies in memory: what is there ends with the machine`,
        "With --data, name a folder that is on a disk.",
      );
    case "network":
      return wrong(
        "disk",
        `${dir} lies on another machine: the store's locks may not hold there`,
        "With --data, name a folder that is on a disk of this machine.",
      );
  }
}

function syncOf({ dir }: LookedFolder, ms: number): Finding {
  const took = `a durable write under ${dir} takes ${ms.toFixed(ms < 1 ? 2 : 0)} ms`;
  if (ms > SYNC_SLOW_MS)
    return look(
      "disk",
      `${took}: each message waits for one`,
      "Name a folder on a faster disk with --data, or see what else keeps this disk busy.",
    );
  return ms < SYNC_FAST_MS
    ? look(
        "disk",
        `${took}: too fast to be on a disk already, so a power cut may lose it`,
        "Turn off the write cache of the disk or of the virtual machine: it confirms writes too early.",
      )
    : ok("disk", took);
}

/** @param command undefined if not set. It may contain secrets, so the finding names only its setting. */
async function commandIn(
  [setting, command]: readonly [string, string | undefined],
  { machine }: Looked,
): Promise<Finding | undefined> {
  if (command === undefined) return undefined;
  switch (await machine.runnable(command)) {
    case "yes":
      return ok("notifier", `the command of ${setting} can be run`);
    case "grammar":
      return wrong(
        "notifier",
        `The shell does not understand the command of ${setting}`,
        "Correct the setting: npx signalbox config shows where it was made.",
      );
    case "missing":
      return wrong(
        "notifier",
        `The program that ${setting} begins with is not there`,
        "Install the program, or name it with its whole path: npx signalbox config shows where the setting was made.",
      );
  }
}

async function hooksIn(hooks: Hooks, folder: LookedFolder, wiring?: Looked): Promise<readonly Finding[]> {
  const found = wiring ? await hooksStatusFor(hooks, wiring.findClient()) : await hooks.status();
  const { called } = hooks.about;
  const isIn = found.scopes.filter(({ installed, faults }) => installed > 0 || faults.length > 0);
  const bad = wrongScopes(found);
  return isIn.map((scope) => {
    const { path, installed } = scope;
    const faults = [...scope.faults, ...found.programs];
    if (faults.length === 0)
      return ok("hooks", `${path}: ${installed} hooks of ${called}, as this version puts them in`);
    const next = bad.includes(scope)
      ? `Put them in again: ${againText(hooks.about, scope, dataOption(folder))}`
      : `Look at ${path}.`;
    return wrong("hooks", `${path}: ${faults.join("; ")}`, next);
  });
}
