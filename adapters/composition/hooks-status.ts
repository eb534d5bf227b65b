// Hooks status
// Checks the client's hooks for a data folder: the entries in each settings file of the client, and the programs of the hooks.
//
//   Owns:          which faults the hooks have; for which version of the client they are checked.
//   Does not own:  repairing the hooks (hooks-side), the output (cli).
//
// HOOKS-STATUS-1. The hooks are checked for the version of the client that the user named at the installation. If none was
//     named, or if the client on the PATH lacks an event of that version, they are checked for the client on the PATH, because
//     it may ignore all its settings when they name an unknown event. In both cases, each entry must be as it was installed.

import { readdir } from "node:fs/promises";
import { defined } from "../../machines/defined.ts";
import type { InstallForm, Scope } from "../../runtime/install-form.ts";
import type { HooksStatus } from "../cli/index.ts";
import type { DataFolder } from "../data-folder/index.ts";
import { GATE_PROGRAM } from "../gate-program.ts";
import {
  type GateWanted,
  type HooksPlace,
  keptIn,
  OBSERVE_S,
  sameEntry,
  settingsIn,
  wantedOf,
} from "./hooks-side.ts";
import {
  areHooksOff,
  clientGiven,
  type FoundHook,
  hooksIn,
  knownEvents,
  programFaults,
  readSettingsFile,
} from "../install/index.ts";

const hooksOff = ({ called }: InstallForm): string =>
  `disableAllHooks is set: ${called} runs no hooks here. Take it out`;

type Place = Omit<HooksPlace, "scope">;
type Found = Omit<HooksStatus["scopes"][number], "scope" | "path">;

export function hooksStatus(place: Place, client?: string): Promise<HooksStatus> {
  const pathOf = (scope: Scope): string => settingsIn({ ...place, scope });
  return statusOver(place.folder, place.form.scopes, pathOf, (text = "") => foundIn(place, text, client));
}

/** @param look what the text of a scope's file says about the hooks; if it throws, its error becomes the scope's fault. */
export async function statusOver(
  folder: DataFolder,
  all: readonly Scope[],
  pathOf: (scope: Scope) => string,
  look: (text: string | undefined) => Found,
): Promise<HooksStatus> {
  const scopes = await Promise.all(
    all.map(async (scope) => {
      const path = pathOf(scope);
      const found = readSettingsFile(path).then(({ text }) => look(text));
      return { scope, path, ...(await found.catch(fault)) };
    }),
  );
  const isIn = scopes.some(({ installed }) => installed > 0);
  return {
    scopes,
    programs: isIn ? await programFaults(keptIn(folder), process.execPath, GATE_PROGRAM) : [],
    spooled: await spooledIn(folder),
  };
}

const fault = (error: unknown): Found => ({
  installed: 0,
  faults: [error instanceof Error ? error.message : String(error)],
});

/** The number of files that hooks have written into the spool, and that no engine has read yet. */
async function spooledIn({ spool }: DataFolder): Promise<number> {
  const names = await readdir(spool).catch((): string[] => []);
  return names.filter((name) => /^\d/.test(name)).length;
}

function foundIn(place: Place, text: string, client: string | undefined): Found {
  const { folder, form } = place;
  const own = hooksIn(text).filter(({ data }) => data === folder.dir);
  // If one settings file switches hooks off, the client runs no hooks, not even those of other files.
  const off = areHooksOff(text) ? [hooksOff(form)] : [];
  if (own.length === 0) return { installed: 0, faults: off };
  const gate = gateFor(form, own, client);
  const { choice, closed, workspace, namedClient } = gate;
  return {
    installed: own.length,
    gate: choice,
    closed,
    ...defined({ workspace, namedClient }),
    faults: [...off, ...faultsOf(place, own, gate)],
  };
}

/** The gate that the installed hooks must match (HOOKS-STATUS-1). @param client the version of the client on the PATH. */
function gateFor(form: InstallForm, own: readonly FoundHook[], client: string | undefined): GateWanted {
  const gate = gateOf(own);
  const events = own.map(({ event }) => event);
  const namedClient = namedIn(own);
  const known = knownEvents(form, client);
  if (namedClient === undefined || !knownEvents(form, namedClient).every((event) => known.includes(event)))
    return { ...gate, client: client ?? clientGiven(form, events) };
  return { ...gate, client: namedClient, namedClient };
}

const namedIn = (own: readonly FoundHook[]): string | undefined =>
  own.find((each) => each.namedClient !== undefined)?.namedClient;

/** The options with which the hooks were installed, read from their commands. What an earlier version left out gets a default. */
function gateOf(own: readonly FoundHook[]): GateWanted {
  const gates = own.filter(({ kind }) => kind === "gate");
  const [gate] = gates;
  const timeout = gate?.entry["timeout"];
  const workspace = (gate ?? own[0])?.workspace;
  const isAll = gates.some(({ event }) => event === "PreToolUse");
  return {
    choice: gate === undefined ? "none" : isAll ? "all" : "permission",
    closed: gate?.closed ?? "ask",
    timeoutS: typeof timeout === "number" ? timeout : OBSERVE_S,
    ...defined({ workspace }),
  };
}

function faultsOf(place: Place, own: readonly FoundHook[], gate: GateWanted): readonly string[] {
  const namedClient = namedIn(own);
  const wanted = wantedOf(place, { ...gate, ...defined({ namedClient }) });
  const unknown = own.filter(({ event }) => wanted.every((each) => each.event !== event));
  const faults = wanted.flatMap(({ event, entry }) => {
    const found = own.filter((each) => each.event === event);
    if (found.length === 0) return [`${event} is missing`];
    const isSame = found.some(({ entry: there }) => sameEntry(there, entry));
    return isSame ? [] : [`${event} was changed, or is of an earlier version`];
  });
  const { called } = place.form;
  const client = gate.client === undefined ? `The newest ${called}` : `${called} ${gate.client}`;
  return [
    ...faults,
    ...unknown.map(({ event }) => `${client} does not know ${event}: it may run none of its hooks`),
  ];
}
