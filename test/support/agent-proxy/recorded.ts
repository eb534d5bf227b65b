// Recorded
// The recordings of agents: what both sides said, and what the agent told its model of each call.
//
//   Owns:          reading them; the ends that they prove.
//   Does not own:  playing one (replayed), what an engine must make of it (test/system/agents.recordings.test.ts).
//
// RECORDED-1. What a call came to is read from what the agent told its model, or says of the call itself, and agrees with the
//     files that were there in the end. Of Codex both are known, and agree.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, textAt } from "../engine/json.ts";
import type { Exchanged } from "./client.ts";

const ROOT = join(import.meta.dirname, "..", "..", "recordings");

/** `interrupted`: its turn was over before it was; `denied`: or before anybody said whether it may run. */
export type End = "completed" | "failed" | "denied" | "interrupted";

export interface Proven {
  readonly id: string;
  /** What only its input holds: the command, the path of its file. */
  readonly mark: string;
  /** The file that it leaves where it runs. */
  readonly leaves?: string;
  /** By what the agent says of it. */
  readonly end: End;
  /** By what the model was told, where that is another source. */
  readonly told?: End;
  /** What it is for: the agent's words before it, or its description. */
  readonly intent: string;
}

export interface AgentRecording {
  readonly name: string;
  readonly door: "acp" | "codex";
  readonly client: string;
  readonly lines: readonly Exchanged[];
  readonly proven: readonly Proven[];
  /** What calls left, by name. */
  readonly files: readonly string[];
}

const DOORS = ["acp", "codex"] as const;

export const agentRecordings = (): readonly AgentRecording[] =>
  DOORS.flatMap((door) => readdirSync(join(ROOT, door)).map((name) => recordingIn(door, name)));

function recordingIn(door: AgentRecording["door"], name: string): AgentRecording {
  const read = (file: string): string => readFileSync(join(ROOT, door, name, file), "utf8").trim();
  const linesOf = (file: string): readonly unknown[] =>
    read(file)
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  const about: unknown = JSON.parse(read("about.json"));
  const lines = linesOf(`${door}.jsonl`).map((line): Exchanged => ({
    from: at(line, "from") === "agent" ? "agent" : "client",
    said: at(line, "said") as object,
  }));
  return {
    name,
    door,
    client: `${/^\w+/.exec(textAt(about, "agent") ?? "")?.[0] ?? ""} ${textAt(about, "version") ?? ""}`,
    lines,
    proven: linesOf("results.jsonl").map(
      door === "acp" ? provenByModel : (line) => provenByCodex(line, unanswered(lines)),
    ),
    files: at(about, "files") as readonly string[],
  };
}

/** The stand-in for the model gives each command this description. */
const DESCRIPTION = "try";

/** The protocol leaves it to the agent how a command ended that ran. */
const provenByModel = (line: unknown): Proven => ({
  ...callIn(line),
  intent: DESCRIPTION,
  end: (textAt(line, "told") ?? "").startsWith("The user rejected") ? "denied" : "completed",
});

const provenByCodex = (line: unknown, waiting: ReadonlySet<unknown>): Proven => {
  const call = callIn(line);
  const end = endIn(line);
  return {
    ...call,
    intent: textAt(line, "said") ?? "",
    end: end === "interrupted" && waiting.has(call.id) ? "denied" : end,
    told: toldIn(JSON.stringify(at(line, "told"))),
  };
};

/** The calls that were asked about, and never answered. */
function unanswered(lines: readonly Exchanged[]): ReadonlySet<unknown> {
  const isQuestion = ({ from, said }: Exchanged) => from === "agent" && textAt(said, "method") !== undefined;
  const answers = lines.filter(({ from, said }) => from === "client" && textAt(said, "method") === undefined);
  const answered = new Set(answers.map(({ said }) => at(said, "id")));
  const open = lines.filter(isQuestion).filter(({ said }) => at(said, "id") !== undefined);
  return new Set(
    open.flatMap(({ said }) => (answered.has(at(said, "id")) ? [] : [at(said, "params", "itemId")])),
  );
}

function callIn(line: unknown): Pick<Proven, "id" | "mark" | "leaves"> {
  const command = textAt(line, "command") ?? textAt(line, "call", "arguments", "cmd") ?? "";
  const file = /Add File: (\S+)/.exec(command)?.[1] ?? textAt(line, "call", "arguments", "path");
  const leaves = file ?? /^touch (\S+)$/.exec(command)?.[1];
  return { id: textAt(line, "id") ?? "", mark: file ?? command, ...(leaves !== undefined && { leaves }) };
}

function endIn(line: unknown): End {
  const [status, exitCode] = [at(line, "status"), at(line, "exitCode")];
  if (status === "completed" && (exitCode === 0 || exitCode === null)) return "completed";
  if (status === "declined" || textAt(line, "error") === "user rejected MCP tool call") return "denied";
  if (status === "failed" && exitCode !== 0) return "failed";
  if (status === undefined && at(line, "turn") === "interrupted") return "interrupted";
  throw new Error(`it is not known how this ended: ${JSON.stringify(line)}`);
}

function toldIn(told: string): End {
  if (/ejected/.test(told)) return "denied";
  if (told.includes("aborted by user")) return "interrupted";
  return /exited with code [1-9]/.test(told) ? "failed" : "completed";
}
