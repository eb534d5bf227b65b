// Program
// The program `signalbox`: its list of commands, and the exit code of a run.
//
//   Owns:          the list of commands, the exit codes, how a failure is printed.
//   Does not own:  what a single command does (commands/).
//
// PROGRAM-1. Exit code 0: success. 1: a failure, and standard error says why and what to do next. 2: the command line is wrong.
//     3: `verify` found only differences that another build may have made.

import { Command, CommanderError } from "commander";
import type { Context } from "./command.ts";
import { acp } from "./commands/client/acp.ts";
import { codex } from "./commands/client/codex.ts";
import { alarms } from "./commands/alarms.ts";
import { approve } from "./commands/answering/approve.ts";
import { approvals } from "./commands/answering/approvals.ts";
import { assign } from "./commands/answering/assign.ts";
import { audit } from "./commands/evidence/audit.ts";
import { backup } from "./commands/backup.ts";
import { callback } from "./commands/client/callback.ts";
import { compact } from "./commands/compact.ts";
import { completion } from "./commands/shell/completion.ts";
import { config } from "./commands/shell/config.ts";
import { deny } from "./commands/answering/deny.ts";
import { down } from "./commands/down.ts";
import { doctor } from "./commands/doctor.ts";
import { dlq } from "./commands/dlq.ts";
import { emit } from "./commands/client/emit.ts";
import { exportCommand } from "./commands/export.ts";
import { forget } from "./commands/evidence/forget.ts";
import { intent } from "./commands/intent.ts";
import { cluster } from "./commands/cluster/cluster.ts";
import { handover } from "./commands/cluster/handover.ts";
import { install } from "./commands/client/install.ts";
import { ls } from "./commands/ls.ts";
import { mcp } from "./commands/client/mcp.ts";
import { open } from "./commands/open.ts";
import { replay } from "./commands/client/replay.ts";
import { service } from "./commands/service.ts";
import { restore } from "./commands/restore.ts";
import { rules } from "./commands/rules.ts";
import { show } from "./commands/show.ts";
import { statusline } from "./commands/client/statusline.ts";
import { stats } from "./commands/stats.ts";
import { status } from "./commands/status.ts";
import { sweep } from "./commands/sweep.ts";
import { token } from "./commands/token.ts";
import { uninstall } from "./commands/client/uninstall.ts";
import { up } from "./commands/up.ts";
import { verify } from "./commands/verify.ts";
import { watch } from "./commands/watch.ts";
import { Failure, reasonText, reasonOf } from "./failures/failure.ts";
import { systemFailure } from "./failures/system-failure.ts";

const COMMANDS = [
  up,
  config,
  down,
  handover,
  cluster,
  install,
  uninstall,
  service,
  status,
  doctor,
  open,
  ls,
  show,
  watch,
  approvals,
  alarms,
  approve,
  deny,
  assign,
  rules,
  stats,
  statusline,
  emit,
  callback,
  replay,
  intent,
  exportCommand,
  sweep,
  forget,
  compact,
  verify,
  audit,
  backup,
  restore,
  dlq,
  token,
  mcp,
  acp,
  codex,
  completion,
] as const;

export async function run(args: readonly string[], given: Omit<Context, "exitWith">): Promise<number> {
  let code: number = 0;
  const context: Context = { ...given, exitWith: (wanted) => (code = wanted) };
  const root = programOf(context);
  try {
    await root.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    const code = tell(error, context);
    if (code === 2 && !isHelp(error)) context.terminal.err(`See \`${helpFor(root, args)}\`.`);
    return code;
  }
}

const isHelp = (error: unknown): boolean =>
  error instanceof CommanderError && error.code === "commander.help";

function helpFor(root: Command, args: readonly string[]): string {
  const path = ["npx signalbox"];
  let meant: Command | undefined = root;
  for (const word of args.filter((arg) => !arg.startsWith("-"))) {
    meant = meant.commands.find((each) => each.name() === word);
    if (!meant) break;
    path.push(word);
  }
  return [...path, "--help"].join(" ");
}

const withAll = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(withAll)];

function programOf(context: Context): Command {
  const { terminal, wiring } = context;
  const root = new Command("signalbox")
    .description("Keeps track of AI coding-agent sessions: what runs, what waits for you, and how it ended.")
    .version(wiring.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print a command's help")
    .addHelpText("after", "\nBegin with:\n  $ npx signalbox up");
  for (const make of COMMANDS) root.addCommand(make(context));
  for (const command of withAll(root)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  }
  return root;
}

function tell(error: unknown, { terminal }: Context): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  terminal.err(reasonText(systemFailure(error) ?? reasonOf(error)));
  return error instanceof Failure ? error.exitCode : 1;
}
