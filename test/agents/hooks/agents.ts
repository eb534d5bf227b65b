// Agents with hooks
// The real agents as people start them at a terminal, without one: how each is told of the stand-in for the model, where its
// hooks are put in, how they are switched off.
//
//   Owns:          their settings and command lines.
//   Does not own:  fetching them (agents), what is done to them (faults).

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENTS, fetched } from "../agents.ts";

export interface HookedAgent {
  /** As the page names it. */
  readonly name: string;
  /** As `install --agent` does. */
  readonly agent: string;
  readonly version: string;
  readonly command: () => Promise<readonly string[]>;
  /** What it is told by its environment, here and where its hooks are put in; files are written into the folders. */
  readonly prepare: (home: string, folder: string, model: string) => Readonly<Record<string, string>>;
  readonly args: (folder: string) => readonly string[];
  /** Keeps it from running hooks: other arguments, or a file. */
  readonly off: (home: string, args: readonly string[]) => readonly string[];
}

const known = (name: string): (typeof AGENTS)[number] => {
  const found = AGENTS.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`${name} is not known`);
  return found;
};
const [copilot, openCode] = [known("Copilot CLI"), known("OpenCode")];
const program = async (agent: (typeof AGENTS)[number]): Promise<string> => (await fetched(agent))[0] ?? "";

const codexPackage = {
  package: "@openai/codex",
  version: "0.169.0",
  command: ["node_modules/.bin/codex"],
};
const TRUSTED = "--dangerously-bypass-hook-trust";

export const HOOKED: readonly HookedAgent[] = [
  {
    name: "Codex, by its hooks",
    agent: "codex",
    version: codexPackage.version,
    command: () => fetched(codexPackage),
    prepare(home, _, model) {
      const settings = [
        `model = "mock"\nmodel_provider = "mock"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"`,
        `[model_providers.mock]\nname = "mock"\nbase_url = ${JSON.stringify(model)}\nwire_api = "responses"\n`,
      ];
      writeFileSync(join(home, "config.toml"), settings.join("\n"));
      return { CODEX_HOME: home };
    },
    // As if a person had trusted the hooks: that takes a terminal.
    args: (folder) => ["exec", "--skip-git-repo-check", TRUSTED, "-C", folder, "go"],
    off: (_, args) => args.filter((arg) => arg !== TRUSTED),
  },
  {
    name: "Copilot CLI, by its hooks",
    agent: "copilot",
    version: copilot.version,
    command: async () => [await program(copilot)],
    prepare: (home, folder, model) => ({ ...copilot.prepare(folder, model), COPILOT_HOME: home }),
    args: () => ["-p", "go", "--allow-all-tools"],
    off(home, args) {
      const file = join(home, "hooks", "signalbox.json");
      const put = JSON.parse(readFileSync(file, "utf8")) as object;
      writeFileSync(file, JSON.stringify({ ...put, disableAllHooks: true }));
      return args;
    },
  },
  {
    name: "OpenCode, by its plugin",
    agent: "opencode",
    version: openCode.version,
    command: async () => [await program(openCode)],
    prepare(home, folder, model) {
      const told = openCode.prepare(folder, model);
      // Without a terminal it would turn down by itself what it asks about.
      const settings = join(folder, "opencode.json");
      const given = JSON.parse(readFileSync(settings, "utf8")) as object;
      writeFileSync(settings, JSON.stringify({ ...given, permission: { bash: "allow" } }));
      const data = join(home, "data");
      mkdirSync(data);
      return { ...told, XDG_CONFIG_HOME: home, XDG_DATA_HOME: data, XDG_STATE_HOME: data };
    },
    args: () => ["run", "go"],
    off: (_, args) => [...args, "--pure"],
  },
];
