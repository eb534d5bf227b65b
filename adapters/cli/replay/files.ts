// Replay files
// Finds the files to replay, and reads their lines.
//
//   Owns:          searching folders, the order of the files, reading lines, the complaint about an unreadable line.
//   Does not own:  what a line means (claude-code), sending lines (send.ts).
//
// FILES-1. Files of hooks are played first, then streams, then transcripts; a session's own transcript is played before those
//     of its subagents.
// FILES-2. An unreadable line causes one complaint, and the lines after it are played.

import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { createInterface } from "node:readline";
import { Failure, reasonOf } from "../failures/failure.ts";
import type { ClaudeCode, LineKind, RecordedLine } from "../wiring.ts";

export interface ReplayFile {
  readonly path: string;
  /** The file's name without its folder, so that a file counts as the same file after it was moved. */
  readonly name: string;
  readonly kind: LineKind;
  readonly lines: number;
  /** The number of the last line, if no line break ends it: the file may have been cut off in that line. */
  readonly openLine: number | undefined;
  /** The first session that a line names; lines without a session belong to it. */
  readonly sessionId: string;
  /** The earliest time of a line, ms: in a file of hooks since the recorder's start, otherwise since 1970. */
  readonly startMs: number | undefined;
  readonly folders: ReadonlyMap<string, string>;
}

export interface Complaint {
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

export interface Numbered {
  readonly number: number;
  readonly text: string;
  readonly line: RecordedLine;
}

const KINDS: readonly LineKind[] = ["hook", "stream", "transcript"];

/**
 * @returns `files`: the files to play, in order. A file without any recorded line is in `refused` if the user named the file
 * itself, and in `skipped` if the user named a folder above it. @throws Failure if a path does not exist.
 */
export async function findFiles(
  paths: readonly string[],
  reader: ClaudeCode,
): Promise<{
  readonly files: readonly ReplayFile[];
  readonly refused: readonly Complaint[];
  readonly skipped: readonly string[];
}> {
  const files: ReplayFile[] = [];
  const refused: Complaint[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      (error: unknown) => {
        throw new Failure(
          `There is no file ${path}.`,
          "Give the path of a recording, a stream or a transcript.",
          1,
          { cause: error },
        );
      },
    );
    for (const file of isFolder ? await filesUnder(path) : [path]) {
      const surveyed = await survey(file, reader);
      if (surveyed) files.push(surveyed);
      else if (isFolder) skipped.push(file);
      else
        refused.push({
          file,
          reason:
            "No line of the file is a hook payload, a stream line or a transcript line; the file was left out.",
        });
    }
  }
  const rank = ({ kind }: ReplayFile): number => KINDS.indexOf(kind);
  return { files: files.sort((a, b) => rank(a) - rank(b)), refused, skipped };
}

async function filesUnder(folder: string): Promise<readonly string[]> {
  const depth = (path: string): number => path.split(sep).length;
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .map((name) => join(folder, name));
}

async function survey(path: string, reader: ClaudeCode): Promise<ReplayFile | undefined> {
  const folders = new Map<string, string>();
  let kind: LineKind | undefined;
  let lines = 0;
  let first: string | undefined;
  let startMs: number | undefined;
  let last = 0;
  for await (const { number, text } of textLines(path)) {
    lines += 1;
    last = number;
    const parsed = attempt(() => reader.parse(text));
    if (!parsed.done) continue;
    const found = (kind ??= reader.kindOf(parsed.value));
    const read = found && attempt(() => reader.read(found, parsed.value));
    const { sessionId, cwd, atMs }: Partial<RecordedLine> = read?.done === true ? read.value : {};
    if (atMs !== undefined) startMs = Math.min(startMs ?? atMs, atMs);
    first ??= sessionId;
    if (sessionId !== undefined && cwd !== undefined && !folders.has(sessionId)) folders.set(sessionId, cwd);
  }
  if (kind === undefined || first === undefined) return undefined;
  const openLine = (await endsWithBreak(path)) ? undefined : last;
  return { path, name: basename(path), kind, lines, openLine, sessionId: first, startMs, folders };
}

export async function* linesOf(
  file: ReplayFile,
  reader: ClaudeCode,
  complain: (complaint: Complaint) => void,
): AsyncGenerator<Numbered> {
  for await (const { number, text } of textLines(file.path)) {
    const parsed = attempt(() => reader.parse(text));
    const read = parsed.done ? attempt(() => reader.read(file.kind, parsed.value)) : parsed;
    if (read.done) {
      yield { number, text, line: read.value };
      continue;
    }
    const isCut = !parsed.done && number === file.openLine;
    const why = isCut ? "The file is cut off in the middle of this line." : read.reason;
    complain({ file: file.path, line: number, reason: `${why} The line was left out.` });
  }
}

async function endsWithBreak(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) });
    return buffer.toString("latin1") === "\n";
  } finally {
    await file.close();
  }
}

async function* textLines(path: string): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() !== "") yield { number, text };
  }
}

type Attempt<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly reason: string };

function attempt<T>(take: () => T): Attempt<T> {
  try {
    return { done: true, value: take() };
  } catch (error) {
    return { done: false, reason: reasonOf(error).reason };
  }
}
