// Odd inputs
// Calls of shells as an agent may write them to get past a rule for `git status`, `git log *` and `npm test`.
//
//   Owns:          the inputs, and which few of them run what such a rule names and nothing else.
//   Does not own:  what rules make of them, running them (shells).

import { acp, codex } from "../../../adapters/agent-proxy/profiles.ts";
import type { ShellForm } from "../../../machines/index.ts";

/** The shells of clients, and one whose client wraps what it is told. */
export const TOOLS = {
  ...acp.shells,
  ...codex.shells,
} satisfies Readonly<Record<string, ShellForm>> as Readonly<
  Record<"execute" | "terminal/create" | "commandExecution", ShellForm>
>;

export interface OddInput {
  readonly tool: keyof typeof TOOLS;
  readonly input: unknown;
  readonly isMeant: boolean;
}

const GIT = "git status";
const odd = (tool: OddInput["tool"], inputs: readonly unknown[], isMeant = false): readonly OddInput[] =>
  inputs.map((input) => ({ tool, input, isMeant }));
const lists = (...of: readonly unknown[]): readonly OddInput[] =>
  odd(
    "execute",
    of.map((command) => ({ command })),
  );
const texts = (...of: readonly string[]): readonly OddInput[] => lists(...of);

export const ODD: readonly OddInput[] = [
  // Meant: one program, the words of the rule.
  ...odd("execute", [{ command: ["git", "status", "-s"] }, { command: "git 'status'" }], true),
  ...odd("execute", [{ command: ["sh", "-c", "git status"] }, { command: "git\tstatus" }], true),
  ...odd(
    "execute",
    [
      { command: GIT, commands: [] },
      { command: GIT, commands: GIT },
    ],
    true,
  ),
  ...odd("terminal/create", [{ command: GIT }, { command: "git", args: ["log", "-1"] }], true),
  ...odd("commandExecution", [{ command: "/bin/bash -lc 'git status'" }], true),
  // Words that are several for a shell, or none.
  ...lists(
    ["git status"],
    ["git", "status; id"],
    ["git", "status", ";", "id"],
    ["git", "status", "&&", "id"],
  ),
  ...lists(
    ["git", "status", "$(id)"],
    ["git", "status", "`id`"],
    ["git", "status", "a b"],
    ["git", "log", ""],
  ),
  ...lists(["git", "log", "|", "sh"], ["git", "log", ">x"], ["git", "log", "*"], ["git", "log", "~"]),
  ...lists(["git", "log", "'a'"], ["git", "log", '"a"'], ["git", "log", "\\"], ["git", "log", "a\nid"]),
  ...lists(["git", "log", "a\0b"], ["git", "log", "\u00a0"], ["git", "log", "\u2003id"], ["git", "log", "é"]),
  ...lists(["git", "log", "#"], ["git", "log", "{a,b}"], ["git", "log", "!!"], ["git", "log", "^a"]),
  ...lists(["", "git", "status"], [" git", "status"], ["git ", "status"], ["GIT=1", "git", "status"]),
  ...lists(["git", 1], ["git", null, "status"], ["git", ["status"]], [["git", "status"]], [], [GIT, "-s"]),
  // Who runs a program.
  ...lists(["env", "git", "status"], ["env", "A=1", "git", "status"], ["sudo", "git", "status"]),
  ...lists(["nohup", "git", "status"], ["xargs", "git", "status"], ["timeout", "5", "git", "status"]),
  ...lists(["command", "git", "status"], ["exec", "git", "status"], ["eval", GIT], ["time", "git", "status"]),
  ...texts("env git status", "sudo git status", "nohup git status", "command git status", "eval git status"),
  ...texts(
    "A=1 git status",
    "! git status",
    "( git status )",
    "{ git status; }",
    "git status &",
    "git status;id",
  ),
  // Scripts.
  ...lists(
    ["bash", "-lc", "git status; id"],
    ["bash", "-lc", GIT, "x"],
    ["bash", "-lc"],
    ["bash", "-l", "-c", GIT],
  ),
  ...lists(["bash", "-lic", GIT], ["bash", "-x", GIT], ["bash", "--rcfile", "x", "-c", GIT], ["bash", GIT]),
  ...lists(["/tmp/bash", "-lc", GIT], ["./bash", "-lc", GIT], ["BASH", "-lc", GIT], ["fish", "-c", GIT]),
  ...lists(
    ["env", "bash", "-lc", GIT],
    ["bash", "-lc", "bash -lc 'git status'"],
    ["bash", "-lc", ["git status"]],
  ),
  ...lists(["bash", "-lc", "git status\nid"], ["bash", "-lc", "cd x && git status"], ["bash", "-lc", ""]),
  ...texts("bash -lc 'git status'", "sh -c 'git status'", "sh -c git status", "bash <<< 'git status'"),
  ...odd(
    "commandExecution",
    [
      ...["/bin/bash -lc 'git status; id'", "/bin/bash -lc git status", "/bin/bash -lc 'git status' x"],
      ...[
        "/tmp/bash -lc 'git status'",
        "/bin/bash -c",
        "sudo bash -lc 'git status'",
        "/bin/bash -lc 'git' 'status'",
      ],
      ...['bash -lc "git status $(id)"', "bash -lc 'git status' ; id", "A=1 bash -lc 'git status'"],
    ].map((command) => ({ command })),
  ),
  ...odd("commandExecution", [
    { command: "/bin/bash -lc 'git status'", kind: "writeStdin" },
    { command: "/bin/bash -lc 'git status'", environmentId: "devbox" },
    { command: "/bin/bash -lc 'git status'", additionalPermissions: { network: { enabled: true } } },
  ]),
  ...odd("terminal/create", [
    { command: "bash", args: ["-lc", GIT] },
    { command: "sh", args: ["-c", GIT] },
    { command: "git status", args: ["; id"] },
    { command: "git", args: ["status; id"] },
    { command: "git", args: ["status", "a b"] },
    { command: "git", args: "status; id" },
    { command: "git", args: { 0: "status" } },
    { command: "git status;", args: ["id"] },
    { command: ["git"], args: ["status"] },
    { command: "git", args: ["status", null] },
    { command: GIT, env: [{ name: "PATH", value: "/tmp" }] },
    { command: GIT, env: { PATH: "/tmp" } },
    { command: GIT, env: "PATH=/tmp" },
    { command: GIT, cwd: "/tmp" },
    { command: GIT, shell: "/tmp/sh" },
  ]),
  // Texts that are not what they look like.
  ...texts(
    "git\u00a0status",
    "git\u2003status",
    "git status\u2028id",
    "git status\nid",
    "git status\rid",
    "git status\0id",
  ),
  ...texts(
    "gіt status",
    "git status\u200b",
    "\ufeffgit status",
    "git status \\",
    "git 'sta\\tus'",
    "git log 'a\\' 'b;id'",
  ),
  ...texts(
    "git log $HOME",
    "git log `id`",
    "git log <(id)",
    "git log >x",
    "git log 2>&1",
    "git log || id",
    "git log | sh",
  ),
  // Fields beside the command.
  ...odd("execute", [
    { command: GIT, cmd: "id" },
    { command: GIT, Command: "id" },
    { command: GIT, COMMAND: GIT },
    { cmd: GIT },
    { command: GIT, commands: ["id"] },
    { command: GIT, commands: [GIT, "id"] },
    { command: GIT, commands: "id" },
    { command: GIT, commands: { 0: "id" } },
    { command: GIT, args: ["; id"] },
    { command: GIT, env: { PATH: "/tmp" } },
    { command: GIT, shell: "/tmp/sh" },
    { command: GIT, shellId: "1" },
    { command: GIT, stdin: "id" },
    { command: GIT, mode: "detached" },
    { command: GIT, detach: true },
    { command: GIT, sudo: true },
    { command: GIT, dangerouslyDisableSandbox: true },
    { command: GIT, cwd: "/tmp" },
    { command: GIT, workdir: "../x" },
    { command: { text: GIT } },
    { command: 1 },
    { command: null },
    { command: "" },
    { title: GIT },
    { __proto__: null, constructor: GIT },
    {},
    GIT,
    [GIT],
    null,
  ]),
];
