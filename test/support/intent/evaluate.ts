// Evaluate
// Plays lookups over the recordings, and holds what they find against the labels.
//
//   Owns:          the ways to ask, what is right and wrong, the table.
//   Does not own:  the labels (labels), finding anything.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ExtractedIntent, IntentQuery } from "../../../adapters/intent/query.ts";
import { extractIntent } from "../../../adapters/intent/lookup.ts";
import { fileOf, type Label, labels, RECORDINGS } from "./labels.ts";

/** What came of all lookups of one kind. */
export interface Tally {
  readonly way: string;
  asked: number;
  found: number;
  /** Nobody wrote a word, or the call is not in the file that was asked. */
  noneWritten: number;
  /** Held against a label: the text is the right one, nothing where nothing is right, and no surer than one may be. */
  right: number;
  wrong: number;
  /** There are words, and they were not found. */
  missed: number;
  readonly sources: Record<string, number>;
  readonly wrongSources: Record<string, number>;
  readonly complaints: string[];
}

interface ToolUse {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly at: number;
}

const newTally = (way: string): Tally => ({
  way,
  asked: 0,
  found: 0,
  noneWritten: 0,
  right: 0,
  wrong: 0,
  missed: 0,
  sources: {},
  wrongSources: {},
  complaints: [],
});

const SURE = ["weak", "likely", "certain"];

/** Asks in every way, over every recording. */
export async function evaluate(): Promise<readonly Tally[]> {
  const all = labels();
  return [await byId(all), await withoutId(all), await everyCall(), ...(await asHooksSawIt(all))];
}

async function byId(all: readonly Label[]): Promise<Tally> {
  const tally = newTally("labelled, by id");
  for (const label of all) {
    const query = { tool: "", toolUseId: label.call, ...agentOf(label) };
    count(tally, await extractIntent(fileOf(label), query), label);
  }
  return tally;
}

/** As a hook without ids would ask: tool, input and time. Two equal calls of one message may answer for one another. */
async function withoutId(all: readonly Label[]): Promise<Tally> {
  const tally = newTally("labelled, by tool, input and time");
  for (const label of all.filter(({ right }) => right !== "none")) {
    const call = toolUses(agentPath(label)).find(({ id }) => id === label.call);
    if (!call) throw new Error(`${label.call} stands nowhere in ${label.transcript}.`);
    const query = { tool: call.tool, input: call.input, at: call.at + 50, ...agentOf(label) };
    count(tally, await extractIntent(fileOf(label), query), label);
  }
  return tally;
}

/** Every call of every transcript, labelled or not. */
async function everyCall(): Promise<Tally> {
  const tally = newTally("every call of every transcript, by id");
  const files = readdirSync(RECORDINGS, { recursive: true, encoding: "utf8" })
    .filter((path) => /transcripts[^/]*\/.*\.jsonl$/.test(path))
    .sort();
  for (const path of files) {
    for (const { id } of toolUses(join(RECORDINGS, path)))
      count(tally, await extractIntent(join(RECORDINGS, path), { tool: "", toolUseId: id }), undefined);
  }
  return tally;
}

/** The file as it stood when each hook came: often the call's own line was not there yet. */
async function asHooksSawIt(all: readonly Label[]): Promise<readonly Tally[]> {
  const tallies = new Map<string, Tally>();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-intent-"));
  try {
    for (const recording of new Set(all.map((label) => label.recording))) {
      for (const hook of hooksOf(recording)) {
        const right = all.filter((each) => each.recording === recording && each.call === hook.id);
        const label = right.find(({ right }) => right !== "none");
        if (!label || !hook.path.endsWith(basename(label.transcript))) continue;
        const cut = join(folder, basename(label.transcript));
        const path = readFileSync(fileOf(label), "utf8").split("\n");
        writeFileSync(cut, path.slice(0, Math.max(0, hook.lines)).join("\n") + "\n");
        for (const [name, query] of ways(hook)) {
          const way = `as it stood at ${hook.event}, ${name}`;
          const tally = tallies.get(way) ?? newTally(way);
          tallies.set(way, tally);
          count(tally, await extractIntent(cut, query), label);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return [...tallies.values()].sort((a, b) => (a.way < b.way ? 1 : -1));
}

interface Hook {
  readonly event: string;
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly path: string;
  readonly lines: number;
}

const ways = ({ tool, input, id }: Hook): readonly (readonly [string, IntentQuery])[] => [
  ["by id", { tool, input, toolUseId: id }],
  ["by tool and input", { tool, input }],
];

/** The main agent's hooks: how much there was of a subagent's file was not recorded. */
function hooksOf(recording: string): readonly Hook[] {
  return linesOf(join(RECORDINGS, recording, "hooks.jsonl")).flatMap((line) => {
    const { payload, transcript_at_arrival: there } = line as {
      readonly payload: Readonly<Record<string, unknown>>;
      readonly transcript_at_arrival?: { readonly lines: number };
    };
    const event = String(payload["hook_event_name"]);
    if (!there || payload["agent_id"] !== undefined || !/^(Pre|Post)ToolUse$/.test(event)) return [];
    const [id, tool, path] = ["tool_use_id", "tool_name", "transcript_path"].map((key) =>
      String(payload[key]),
    ) as [string, string, string];
    return [{ event, id, tool, input: payload["tool_input"], path, lines: there.lines }];
  });
}

function count(tally: Tally, answer: ExtractedIntent, label: Label | undefined): void {
  tally.asked += 1;
  if (answer.outcome === "found") tally.found += 1;
  const isNone = answer.outcome === "none-written" || (label?.right === "none" && answer.text === "");
  if (isNone) tally.noneWritten += 1;
  const source = answer.source ?? answer.code ?? answer.outcome;
  tally.sources[source] = (tally.sources[source] ?? 0) + 1;
  if (!label) return;
  const wanted = label.right === "none" ? "" : label.right;
  const isTooSure = SURE.indexOf(answer.confidence ?? "weak") > SURE.indexOf(label.atMost ?? "certain");
  if (answer.text === wanted && !isTooSure) tally.right += 1;
  else if (answer.text === "") tally.missed += 1;
  else {
    tally.wrong += 1;
    tally.wrongSources[source] = (tally.wrongSources[source] ?? 0) + 1;
    tally.complaints.push(
      `${label.recording} ${label.call}: "${answer.text}" (${source}, ${String(answer.confidence)}), right is "${wanted}"`,
    );
  }
}

const agentOf = ({ agentId }: Label) => (agentId === undefined ? {} : { agentId });
const agentPath = (label: Label): string => {
  const path = fileOf(label);
  if (label.agentId === undefined) return path;
  return join(dirname(path), basename(path, ".jsonl"), "subagents", `agent-${label.agentId}.jsonl`);
};

const linesOf = (path: string): readonly unknown[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

/** Read forwards and plainly, without the code that is judged. */
function toolUses(path: string): readonly ToolUse[] {
  return linesOf(path).flatMap((line) => {
    const { type, message, timestamp } = line as {
      readonly type: string;
      readonly message?: { readonly content: unknown };
      readonly timestamp: string;
    };
    if (type !== "assistant" || !Array.isArray(message?.content)) return [];
    return (message.content as readonly Record<string, unknown>[])
      .filter((block) => block["type"] === "tool_use")
      .map(({ id, name, input }) => ({
        id: String(id),
        tool: String(name),
        input,
        at: Date.parse(timestamp),
      }));
  });
}

/** Of those that have words at all; 1 where none has. */
export const coverage = ({ asked, found, noneWritten }: Tally): number =>
  asked === noneWritten ? 1 : found / (asked - noneWritten);

/** The table that `npm run eval:intent` prints. */
export function report(tallies: readonly Tally[]): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return tallies
    .map((tally) => {
      const { way, asked, found, right, wrong, missed, sources, wrongSources, complaints } = tally;
      const judged = right + wrong + missed;
      const bySource = Object.entries(sources)
        .sort(([, a], [, b]) => b - a)
        .map(
          ([source, n]) => `${source} ${n}${wrongSources[source] ? ` (${wrongSources[source]} wrong)` : ""}`,
        );
      return [
        `${way}: ${asked} asked, ${found} found (${percent(coverage(tally))} of those with words)`,
        `  ${bySource.join(" · ")}`,
        judged === 0
          ? "  no labels"
          : `  ${judged} labelled: ${right} right, ${missed} missed, ${wrong} wrong (${percent(wrong / judged)})`,
        ...complaints.map((each) => `  wrong: ${each}`),
      ].join("\n");
    })
    .join("\n");
}
