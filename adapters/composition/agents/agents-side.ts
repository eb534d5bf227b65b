// Agents side
// The hooks of each supported agent, for the commands that install, remove and check hooks.
//
//   Owns:          which agents there are, and which agent a name means.
//   Does not own:  installing hooks (hooks-side), checking them (hooks-status), the output (cli).

import { defined } from "../../../machines/defined.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { ClientProfile } from "../../../runtime/client-profile.ts";
import type { Installed } from "../../../runtime/install-form.ts";
import type { Hooks } from "../../cli/index.ts";
import { type DataFolder, readAddress } from "../../data-folder/index.ts";
import { type HooksPlace, installHooks, uninstallHooks, writePlugin } from "../hooks-side.ts";
import { hooksStatus } from "../hooks-status.ts";
import { installPlugin, type PluginPlace, pluginStatus, uninstallPlugin } from "./plugin-file-side.ts";
import { profiles } from "../profiles.ts";

interface Agent {
  readonly profile: ClientProfile;
  readonly about: Installed;
  /** The client's name in the agent's hooks; undefined for the first agent, to which hooks without a name belong. */
  readonly clientName?: string;
}

const AGENTS: readonly Agent[] = profiles.flatMap((profile, n) => {
  const about = profile.install ?? profile.plugin;
  return about === undefined ? [] : [{ profile, about, ...(n > 0 && { clientName: profile.name }) }];
});

export const agents = AGENTS.map(({ about }) => about);

export interface AgentsPlace {
  readonly folder: DataFolder;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The engine's address to use if the data folder names no address, because no engine runs. */
  readonly url: string;
}

/** @param name the agent's name, as in `about.agent`; undefined for the first agent. @throws RefusedError NO_SUCH_AGENT */
export function hooksOf(at: AgentsPlace, name?: string): Hooks {
  const agent = name === undefined ? AGENTS[0] : AGENTS.find(({ about }) => about.agent === name);
  if (agent === undefined) throw noAgent(name);
  const { about, profile, clientName } = agent;
  const { install, plugin } = profile;
  const limits: Hooks["limits"] = ({ client, choice }) => about.limits(client, choice);
  if (install) return { about, limits, ...inSettings(at, { form: install, ...defined({ clientName }) }) };
  if (plugin) return { about, limits, ...inFile(at, { form: plugin, clientName: profile.name }) };
  throw noAgent(name);
}

type Doing = Omit<Hooks, "about" | "limits">;

function inSettings({ url, ...at }: AgentsPlace, whose: Pick<HooksPlace, "form" | "clientName">): Doing {
  const place: Omit<HooksPlace, "scope"> = { ...at, ...whose };
  return {
    install: async (scope, { hasTelemetry, ...gate }, dryRun) => {
      const telemetry = hasTelemetry ? ((await readAddress(at.folder))?.url ?? url) : undefined;
      return installHooks({ ...place, scope }, { ...gate, ...defined({ telemetry }) }, dryRun, Date.now());
    },
    plugin: (path, gate, dryRun) => writePlugin(place, path, gate, dryRun),
    uninstall: (scope, dryRun) => uninstallHooks({ ...place, scope }, dryRun, Date.now()),
    status: (client) => hooksStatus(place, client),
  };
}

function inFile({ folder, cwd, env }: AgentsPlace, whose: Pick<PluginPlace, "form" | "clientName">): Doing {
  const place: PluginPlace = { folder, cwd, env, ...whose };
  return {
    install: (scope, gate, dryRun) => installPlugin(place, scope, gate, dryRun, Date.now()),
    plugin: () => Promise.reject(noFolder(whose.form)),
    uninstall: (scope, dryRun) => uninstallPlugin(place, scope, dryRun, Date.now()),
    status: () => pluginStatus(place),
  };
}

const noFolder = ({ called }: Installed): RefusedError =>
  new RefusedError(
    "NO_PLUGIN_FOLDER",
    `${called} loads its plugin from one file, not from a folder.`,
    "Install without --plugin.",
  );

const noAgent = (name = ""): RefusedError =>
  new RefusedError(
    "NO_SUCH_AGENT",
    `There are no hooks for ${name}.`,
    `Name one of these: ${agents.map((each) => each.agent).join(", ")}.`,
  );
