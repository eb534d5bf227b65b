// intent
// Prints why an agent made calls, as a transcript of the client tells it: for one call, or for the newest calls.
//
//   Owns:          the options of `intent`, the form of the output.
//   Does not own:  finding the reason in the transcript (wiring).
//
// COMMANDS-INTENT-1. `intent` reads only the transcript, and asks no engine.

import type { Command } from "commander";
import { defined } from "../../../machines/defined.ts";
import { type Context, plainCommand, wholeNumber } from "../command.ts";
import { Failure, misused, reasonOf } from "../failures/failure.ts";
import { givenJson } from "../given-json.ts";
import { table } from "../output/table.ts";
import { columnsOf } from "../output/terminal.ts";
import type { FoundIntent, IntentQuery } from "../wiring.ts";

interface Options {
  readonly agent?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly at?: string;
  readonly window?: number;
  readonly entries?: number;
  readonly json?: boolean;
}

const ENTRIES = 100;
const ENTRIES_FOR_ID = 100_000;

const MEANING = `
Sources: message (said before the call), parent (said before, in the same turn), description (the call's own), prompt (what was asked for).
If no words are sure to belong to the call, the command prints none, says why, and exits with 1.`;

export function intent(context: Context): Command {
  return plainCommand(
    "intent",
    "tell why calls were made, from a transcript",
    "intent ~/.claude/projects/-home-dev-shop/5fc89a7c.jsonl toolu_01Abc",
  )
    .addHelpText("after", MEANING)
    .argument("<file>", "the session's transcript, as hooks name it")
    .argument("[call]", "the call's id (`toolu_…`); without one, all among the newest entries")
    .option("--agent <id>", "the subagent that made the call")
    .option("--tool <name>", "instead of an id: the call's tool")
    .option("--input <json>", "with --tool: the call's input: a JSON object, @FILE, or @- for standard input")
    .option("--at <time>", "with --tool: when the hook came (default: the time of the newest entry)")
    .option("--window <s>", "with --tool: how many seconds before that to look (default: 60)", wholeNumber(1))
    .option(
      "--entries <n>",
      `how many of the newest entries to look at (default: ${ENTRIES})`,
      wholeNumber(1),
    )
    .option("--json", "print JSON, one value a line")
    .action(async (file: string, call: string | undefined, options: Options) => {
      if (call !== undefined && options.tool !== undefined)
        throw misused("A call is named by its id or by --tool, not by both.", "Leave out the id or --tool.");
      if (
        options.tool === undefined &&
        [options.input, options.at, options.window].some((each) => each !== undefined)
      )
        throw misused("--input, --at and --window go with --tool.", "Name the call's tool: --tool Bash.");
      const isOne = call !== undefined || options.tool !== undefined;
      if (!isOne) return tellAll(file, options, context);
      const found = await context.wiring.intents.extract(file, await queryOf(call, options));
      if (options.json === true) context.terminal.json(found);
      else if (found.outcome === "found") context.terminal.out(toldOf(found));
      if (found.outcome === "found") return;
      if (options.json === true) return context.exitWith(1);
      throw new Failure(whyNot(found), nextFor(found));
    });
}

async function queryOf(call: string | undefined, options: Options): Promise<IntentQuery> {
  const { agent, tool = "", input, at, window, entries } = options;
  const maxEntries = entries ?? (call === undefined ? ENTRIES : ENTRIES_FOR_ID);
  return {
    tool,
    maxEntries,
    ...defined({ toolUseId: call, agentId: agent }),
    ...(input !== undefined && { input: await givenJson(input) }),
    ...(at !== undefined && { at: timeOf(at) }),
    ...(window !== undefined && { windowMs: window * 1000 }),
  };
}

function timeOf(text: string): number {
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw misused(`${text} is not a time.`, "Write --at 2026-11-21T20:31:00Z, or milliseconds since 1970.");
}

const toldOf = ({ text, source, confidence, place }: FoundIntent): string => {
  const where = place ? `, at byte ${place.offset} of ${place.path}` : "";
  return `${text}\n(${String(source)}, ${String(confidence)}${where})`;
};

const whyNot = ({ reason }: FoundIntent): string =>
  reason ?? "No words were found that say why the call was made.";

const nextFor = ({ outcome }: FoundIntent): string => {
  if (outcome === "unreadable") return "Give the path of a transcript.";
  if (outcome === "none-written") return "`npx signalbox intent FILE` shows why other calls were made.";
  return "`npx signalbox intent FILE` lists the calls of that transcript; --entries looks further back.";
};

async function tellAll(file: string, { agent, entries, json }: Options, context: Context): Promise<void> {
  const { terminal, wiring } = context;
  const maxEntries = entries ?? ENTRIES;
  const ofAgent = defined({ agentId: agent });
  const calls = await wiring.intents.calls(file, { maxEntries, ...ofAgent }).catch((error: unknown) => {
    throw new Failure(reasonOf(error).reason, "Give the path of a transcript.", 1, { cause: error });
  });
  const rows: (readonly string[])[] = [];
  for (const { toolUseId, tool, at } of calls) {
    const found = await wiring.intents.extract(file, { tool, toolUseId, maxEntries, ...ofAgent });
    if (json === true) terminal.json({ toolUseId, tool, ...defined({ at }), ...found });
    const words = found.outcome === "found" ? found.text : whyNot(found);
    rows.push([toolUseId, tool, found.source ?? "-", found.confidence ?? "-", words]);
  }
  if (json === true) return;
  if (rows.length === 0) terminal.out(`No call is among the last ${maxEntries} entries of ${file}.`);
  else terminal.out(table(["CALL", "TOOL", "SOURCE", "SURE", "INTENT"], rows, columnsOf(terminal)));
}
