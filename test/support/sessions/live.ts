// Live
// A recording as an engine meets it while it happens: hooks over HTTP, and transcripts that grow beside them.
//
//   Owns:          a projects folder of its own, what stands in a transcript when each hook comes (as the recorder saw it).
//   Does not own:  the engine, what should have come of it (oracle).

import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { at, textAt } from "../engine/json.ts";
import { type RecordedFile, type Recording, sessionOfTranscript } from "./recording.ts";

/** A folder as the client keeps its transcripts in. */
export class Projects {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-projects-")));

  constructor() {
    mkdirSync(join(this.root, "shop"));
  }

  /** The main transcript of a session. */
  path(session: string): string {
    return join(this.root, "shop", `${session}.jsonl`);
  }

  clear(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export type Step =
  | { readonly do: "append"; readonly path: string; readonly text: string }
  | { readonly do: "hook"; readonly payload: Readonly<Record<string, unknown>> };

/** What happens, in its order. A subagent's file is there once its main one is whole: the recorder did not look at it. */
export function stepsOf(recording: Recording, projects: Projects): readonly Step[] {
  const steps: Step[] = [];
  const written = new Map<RecordedFile, number>();
  const grow = (file: RecordedFile | undefined, lines: number): void => {
    if (!file) return;
    const from = written.get(file) ?? 0;
    const to = Math.max(from, Math.min(lines, file.lines.length));
    for (const { text } of file.lines.slice(from, to))
      steps.push({ do: "append", path: placeOf(file, projects), text: `${text}\n` });
    written.set(file, to);
  };
  const main = new Map(
    recording.transcripts
      .filter(({ path }) => !path.includes("/subagents/"))
      .map((file) => [sessionOfTranscript(file.path), file] as const),
  );
  for (const { value } of recording.hooks.lines) {
    const payload = at(value, "payload") as Readonly<Record<string, unknown>>;
    const session = textAt(payload, "session_id") ?? "";
    grow(main.get(session), Number(at(at(value, "transcript_at_arrival"), "lines") ?? 0));
    const named = "transcript_path" in payload && { transcript_path: projects.path(session) };
    steps.push({ do: "hook", payload: { ...payload, ...named } });
  }
  for (const file of recording.transcripts) grow(file, Infinity);
  return steps;
}

const placeOf = ({ path }: RecordedFile, projects: Projects): string =>
  join(projects.root, "shop", path.replace(/^transcripts\//, ""));

export function append({ path, text }: { readonly path: string; readonly text: string | Buffer }): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, text);
}

/** The same without what nothing live tells: the stream, other routes of permission, what other hooks printed. */
export function asHeardLive(recording: Recording): Recording {
  const none = (file: RecordedFile): RecordedFile => ({ ...file, lines: [] });
  const { hooks, stream, canUseTool, mcp, httpHooks } = recording;
  const lines = hooks.lines.map((line) => {
    const { answer: _, ...value } = line.value as Readonly<Record<string, unknown>>;
    return { ...line, value };
  });
  return {
    ...recording,
    hooks: { ...hooks, lines },
    stream: none(stream),
    canUseTool: none(canUseTool),
    mcp: none(mcp),
    httpHooks: none(httpHooks),
  };
}
