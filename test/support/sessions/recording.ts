// Recording
// Loads a recording of the real client, line by line, from test/recordings.
//
//   Owns:          the files of a recording, and what each is called.
//   Does not own:  what the lines mean.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly value: unknown;
}

export interface RecordedFile {
  /** Its path in the recording. */
  readonly path: string;
  readonly lines: readonly Line[];
}

export interface Recording {
  readonly name: string;
  readonly hooks: RecordedFile;
  /** Empty for recordings made in a terminal. */
  readonly stream: RecordedFile;
  /** As they were at the end: the main one of each session before those of its subagents. */
  readonly transcripts: readonly RecordedFile[];
  /** The same files before a resume. */
  readonly earlierTranscripts: readonly RecordedFile[];
  readonly canUseTool: RecordedFile;
  readonly mcp: RecordedFile;
  readonly httpHooks: RecordedFile;
  /** Of its hooks and stream lines, which came when; undefined where timeline.txt has it. */
  readonly order?: readonly ("hooks" | "stream")[];
}

const ROOT = join(import.meta.dirname, "..", "..", "recordings");

const RECORDINGS: readonly string[] = readdirSync(ROOT)
  .filter((name) => existsSync(join(ROOT, name, "about.json")))
  .sort();

const loaded = new Map<string, Recording>();

export function recording(name: string): Recording {
  const found = loaded.get(name) ?? load(name);
  loaded.set(name, found);
  return found;
}

export const allRecordings = (): readonly Recording[] => RECORDINGS.map(recording);

export function recordingPath(name: string, file: string): string {
  return join(ROOT, name, file);
}

function load(name: string): Recording {
  const files = readdirSync(join(ROOT, name), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const under = (folder: RegExp) => files.filter((path) => folder.test(path)).map((path) => file(name, path));
  return {
    name,
    hooks: file(name, "hooks.jsonl"),
    stream: file(name, "stream.jsonl"),
    transcripts: under(/^transcripts\//),
    earlierTranscripts: under(/^transcripts-after-/),
    canUseTool: file(name, "can_use_tool.jsonl"),
    mcp: file(name, "mcp.jsonl"),
    httpHooks: file(name, "http-hooks.jsonl"),
  };
}

function file(name: string, path: string): RecordedFile {
  const whole = join(ROOT, name, path);
  const texts = existsSync(whole)
    ? readFileSync(whole, "utf8")
        .split("\n")
        .filter((text) => text !== "")
    : [];
  const lines = texts.map((text, index): Line => ({
    number: index + 1,
    text,
    value: JSON.parse(text) as unknown,
  }));
  return { path, lines };
}

/** The session of a transcript file: its name, or that of its folder for a subagent's file. */
export function sessionOfTranscript(path: string): string {
  const parts = path.split("/");
  return basename(parts[1] ?? "", ".jsonl");
}
