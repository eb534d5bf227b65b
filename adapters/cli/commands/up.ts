// up
// Runs the engine, and starts it again when it fails.
//
//   Owns:          the options of an engine, what is said when it runs.
//   Does not own:  keeping it running (supervisor), the engine (serve.ts).

import { type Command, Option } from "commander";
import { type Context, plainCommand, wholeNumber } from "../command.ts";
import { DEFAULT_PORT } from "../connection.ts";
import { misused } from "../failure.ts";
import { serve } from "../serve.ts";
import type { Note } from "../supervisor/child.ts";
import { supervise } from "../supervisor/supervisor.ts";

interface Options {
  readonly data?: string;
  readonly port: number;
  readonly nats: string;
  readonly child?: boolean;
  readonly json?: boolean;
}

export function up(context: Context): Command {
  return plainCommand("up", "run the engine until Ctrl-C", "up --port 4280")
    .option(
      "--data <dir>",
      "where it keeps its data (default: SIGNALBOX_DATA, else the platform's state folder)",
    )
    .option("--port <n>", "the port on 127.0.0.1; 0 takes any", wholeNumber(0, 65_535), DEFAULT_PORT)
    .option("--nats <url>", "off: this version has the built-in journal only", "off")
    .option("--json", "print JSON, one value a line")
    .addOption(new Option("--child", "run the engine in this process, without a supervisor").hideHelp())
    .action(async (options: Options) => {
      if (options.nats !== "off")
        throw misused("This version does not speak NATS yet.", "Leave --nats out, or write --nats off.");
      const { dir } = context.wiring.folder(options.data);
      const code =
        options.child === true
          ? await serve(dir, options.port, context)
          : await runSupervised(dir, options, context);
      if (code !== 0) context.exitWith(code);
    });
}

async function runSupervised(dir: string, { port, json }: Options, context: Context): Promise<number> {
  const { terminal, env } = context;
  const [program = ""] = process.argv.slice(1);
  let isBack = false;
  const say = (line: string, value: object): void =>
    json === true ? terminal.json(value) : terminal.out(line);
  const onNote = (note: Note): void => {
    if (note.type !== "ready") {
      terminal.err([note.reason, note.next].filter(Boolean).join("\n"));
      return;
    }
    void welcome(note.url, dir, isBack, context).then((text) =>
      say(text, { type: "ready", url: note.url, data: dir }),
    );
    isBack = true;
  };
  return supervise({
    args: [...process.execArgv, program, "up", "--child", "--data", dir, "--port", String(port)],
    env,
    onNote,
    onRestart: (why, waitMs) =>
      terminal.err(
        `The engine stopped: ${why}. Starting it again in ${waitMs} ms; nothing acknowledged is lost.`,
      ),
    onGivingUp: (why) =>
      terminal.err(
        `The engine keeps stopping (${why}), so it is not started again.\nLook at what it wrote above; its data is safe in ${dir}.`,
      ),
  });
}

async function welcome(url: string, dir: string, isBack: boolean, { wiring }: Context): Promise<string> {
  if (isBack) return `Signalbox runs again at ${url}.`;
  const token = (await wiring.folder(dir).token()) ?? "";
  return [
    `Signalbox runs at ${url}. Its data is in ${dir}. Ctrl-C ends it.`,
    "",
    "Next, in another terminal:",
    "  npx signalbox replay test/recordings/s1-ten-allowed/hooks.jsonl   see it work",
    "  npx signalbox watch                                               follow your sessions",
    "  npx signalbox approvals                                           what waits for you",
    "",
    'Connect Claude Code: README.md, "Live use", has the settings. In the shell you start it from:',
    `  export SIGNALBOX_TOKEN="$(cat '${dir}/token')"`,
    "",
    `In a browser: ${url}/?token=${token}`,
  ].join("\n");
}
