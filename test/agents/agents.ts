// Agents
// The real agents: where they are had, and how each is told to use the stand-in for the model.
//
//   Owns:          their packages, versions and settings.
//   Does not own:  what is done to them (faults).

import { type ChildProcess, execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Editor } from "../support/acp/editor.ts";
import type { Client, Reply } from "../support/agent-proxy/client.ts";
import { AppClient, ELICITATION, FILES, PERMISSIONS } from "../support/codex/app-client.ts";
import type { Given } from "../support/codex/tool-server.ts";
import type { Call } from "./model.ts";

export interface Agent {
  readonly name: string;
  readonly version: string;
  /** Its program and arguments, in the folder that it was fetched into. */
  readonly command: readonly string[];
  /** The proxy that it stands behind. */
  readonly door: "acp" | "codex";
  readonly connect: (child: ChildProcess, reply?: Reply) => Client;
  /** What it asks does not name the file that the call makes. */
  readonly namesFile?: false;
  /** A model of its own answers in a person's place: other faults than those of all. */
  readonly isReviewed?: true;
  /** What it is to call, one after another, so that there is a file; its shell with `touch` where nothing is said. */
  readonly calling?: (path: string) => readonly Call[];
  /** What it is told by its environment; files are written into its folder. */
  readonly prepare: (folder: string, model: string) => Readonly<Record<string, string>>;
}

interface Packaged extends Agent {
  readonly package: string;
}

const FOLDER = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox-test-agents");

const behindEditor = {
  door: "acp",
  connect: (child: ChildProcess, reply?: Reply) => new Editor(child, reply),
} as const;

const SERVER = join(import.meta.dirname, "..", "support", "codex", "tool-server.ts");
const TOOLS = ["--import", import.meta.resolve("tsx"), SERVER];
const codexWith = (
  name: string,
  asks: ConstructorParameters<typeof AppClient>[1],
  more: Pick<Agent, "calling" | "isReviewed" | "namesFile"> = {},
): Packaged => ({
  name,
  package: "@openai/codex",
  version: "0.169.0",
  command: ["node_modules/.bin/codex", "app-server"],
  door: "codex",
  connect: (child, reply) => new AppClient(child, asks, reply),
  ...more,
  prepare(folder, model) {
    const home = join(folder, ".codex");
    mkdirSync(home, { recursive: true });
    const settings = [
      ...['model = "mock"', 'model_provider = "mock"', "[model_providers.mock]", 'name = "Mock"'],
      ...[`base_url = ${JSON.stringify(model)}`, 'wire_api = "responses"', "[analytics]", "enabled = false"],
      ...["[features]", "request_permissions_tool = true", "[mcp_servers.files]"],
      ...[
        `command = ${JSON.stringify(process.execPath)}`,
        `args = ${JSON.stringify(TOOLS)}`,
        "startup_timeout_sec = 60",
      ],
      ...[`[projects.${JSON.stringify(folder)}]`, 'trust_level = "trusted"'],
    ];
    writeFileSync(join(home, "config.toml"), settings.join("\n"));
    return { CODEX_HOME: home };
  },
});

/** Codex has a model review nothing under the policy that the others are tried with. */
const REVIEWED = {
  approvalPolicy: "on-request",
  sandbox: "workspace-write",
  approvalsReviewer: "auto_review",
};
const WALLED = { dialog: PERMISSIONS, approvalPolicy: "on-request", sandbox: "read-only" };

/** Adds a file. */
export const patches = (path: string): string =>
  `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\nEOF`;
export const writes = (path: string): Call => ({
  name: "write",
  namespace: "mcp__files",
  arguments: { path } satisfies Given,
});

export const escalates = (cmd: string): Call => ({
  name: "exec_command",
  arguments: { cmd, sandbox_permissions: "require_escalated", justification: "To try." },
});

export const AGENTS: readonly Packaged[] = [
  codexWith("Codex", {}),
  codexWith(
    "Codex, changes of files",
    { dialog: FILES },
    {
      calling: (path) => [patches(path)],
    },
  ),
  codexWith("Codex, permissions", WALLED, {
    namesFile: false,
    calling: (path) => [
      {
        name: "request_permissions",
        arguments: { reason: "To try.", permissions: { file_system: { write: [dirname(path)] } } },
      },
      `touch ${path}`,
    ],
  }),
  codexWith(
    "Codex, tools of a server",
    { dialog: ELICITATION },
    {
      calling: (path) => [writes(path)],
    },
  ),
  codexWith("Codex, reviewed by a model", REVIEWED, {
    isReviewed: true,
    namesFile: false,
    // It has reviewed what leaves its sandbox.
    calling: (path) => [escalates(`touch ${path}`)],
  }),
  {
    name: "OpenCode",
    ...behindEditor,
    package: "opencode-ai",
    version: "1.18.33",
    command: [`node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`, "acp"],
    prepare(folder, model) {
      const options = { baseURL: model, apiKey: "none" };
      const mock = {
        npm: "@ai-sdk/openai-compatible",
        name: "Mock",
        options,
        models: { mock: { name: "Mock" } },
      };
      const settings = {
        ...{ model: "mock/mock", small_model: "mock/mock", provider: { mock }, permission: { bash: "ask" } },
        ...{ autoupdate: false, snapshot: false, share: "disabled" },
      };
      writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings));
      const off = ["MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "AUTOUPDATE"];
      return Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, "1"]));
    },
  },
  {
    name: "Copilot CLI",
    ...behindEditor,
    package: "@github/copilot",
    version: "1.0.102",
    command: ["node_modules/.bin/copilot", "--acp"],
    prepare: (folder, model) => ({
      COPILOT_HOME: join(folder, ".copilot"),
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: "mock",
      COPILOT_PROVIDER_BASE_URL: model,
      COPILOT_PROVIDER_API_KEY: "none",
    }),
  },
  {
    name: "Gemini CLI",
    ...behindEditor,
    package: "@google/gemini-cli",
    version: "0.61.0",
    command: ["node_modules/.bin/gemini", "--acp"],
    prepare: (folder, model) => ({
      GEMINI_CLI_HOME: folder,
      GEMINI_API_KEY: "none",
      GEMINI_MODEL: "gemini-2.5-pro",
      GEMINI_TELEMETRY_ENABLED: "false",
      GOOGLE_GEMINI_BASE_URL: model.replace(/\/v1$/, ""),
    }),
  },
];

/** The messages of a model that has the agent call what it is to call. */
export const stepsOf = ({ calling }: Agent, path: string): (readonly Call[])[] =>
  calling?.(path).map((call) => [call]) ?? [[`touch ${path}`]];

/** Fetches the agent once, into a cache outside of this tree. @returns its command. */
export async function fetched({
  package: name,
  version,
  command,
}: Pick<Packaged, "package" | "version" | "command">): Promise<readonly string[]> {
  const folder = join(FOLDER, `${name.replaceAll(/\W+/g, "-")}-${version}`);
  const [program = "", ...args] = command;
  if (!existsSync(join(folder, program))) {
    mkdirSync(folder, { recursive: true });
    const wanted = [
      "install",
      "--prefix",
      folder,
      "--no-audit",
      "--no-fund",
      "--no-save",
      `${name}@${version}`,
    ];
    await promisify(execFile)("npm", wanted);
  }
  return [join(folder, program), ...args];
}
