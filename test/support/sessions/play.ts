// Play
// Plays a recording into an engine, file by file or in its original order, and reads back the resulting calls.
//
//   Owns:          the order of lines, reading the calls back from the store.
//   Does not own:  the right result (oracle).

import { readFileSync } from "node:fs";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import type { CallContext, SessionId, WorkspaceId } from "../../../machines/index.ts";
import type { Stored } from "../../../runtime/rows/actors/actors.ts";
import { canonicalText } from "../../../runtime/canonical.ts";
import type { Engine } from "../../../runtime/engine/engine.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import type { ManualClock } from "../engine/manual-clock.ts";
import { textAt } from "../engine/json.ts";
import { type RecordedFile, type Recording, recordingPath } from "./recording.ts";

export type Part = "hooks" | "stream" | "transcript";
export const ORDERS: readonly (readonly Part[])[] = [
  ["hooks", "stream", "transcript"],
  ["hooks", "transcript", "stream"],
  ["stream", "hooks", "transcript"],
  ["stream", "transcript", "hooks"],
  ["transcript", "hooks", "stream"],
  ["transcript", "stream", "hooks"],
];

const WORKSPACE = "shop-000000" as WorkspaceId;

function messagesOf(file: RecordedFile, part: Part): readonly SourceMessage[] {
  return file.lines.flatMap(({ number, value }) => {
    const payload = part === "hooks" ? (value as { payload: unknown }).payload : value;
    const session = textAt(payload, "session_id") ?? textAt(payload, "sessionId");
    if (session === undefined) return [];
    const answer = textAt(value, "answer");
    const data = part === "hooks" ? { hook: payload, ...(answer !== undefined && { answer }) } : value;
    return {
      door: "in" as const,
      workspace: WORKSPACE,
      session: session as SessionId,
      source: "claude-code",
      id: `${file.path}:${number}`,
      type: part === "hooks" ? "claude-code.hook" : `claude-code.${part}`,
      data,
    };
  });
}

/** The messages of a recording, one file kind after another. */
export function messages(recording: Recording, parts: readonly Part[]): readonly SourceMessage[] {
  return parts.flatMap((part) => {
    if (part === "transcript") return recording.transcripts.flatMap((file) => messagesOf(file, part));
    return messagesOf(part === "hooks" ? recording.hooks : recording.stream, part);
  });
}

/** Hooks and stream lines in the order they came, by the recording's own timeline. */
export function asItHappened(recording: Recording): readonly SourceMessage[] {
  const hooks = [...messagesOf(recording.hooks, "hooks")];
  const stream = [...messagesOf(recording.stream, "stream")];
  return (recording.order ?? timelineOf(recording)).flatMap((part) => {
    const next = part === "hooks" ? hooks.shift() : stream.shift();
    return next ? [next] : [];
  });
}

function timelineOf({ name }: Recording): readonly ("hooks" | "stream")[] {
  const timeline = readFileSync(recordingPath(name, "timeline.txt"), "utf8").split("\n");
  return timeline.flatMap((line) =>
    line.includes("ms HOOK ") ? ["hooks"] : line.includes("ms OUT ") ? ["stream"] : [],
  );
}

/** Submits in order; each message's turn may share a group with others. @returns the replies, in order. */
export async function play(
  engine: Engine,
  clock: Pick<ManualClock, "advance">,
  list: readonly SourceMessage[],
): Promise<readonly Reply[]> {
  const settled: Promise<Reply>[] = [];
  for (const message of list) {
    clock.advance(10);
    settled.push((await engine.submit(message)).settled);
  }
  return Promise.all(settled);
}

export interface PlayedCall {
  readonly sessionId: string;
  readonly toolUseId: string | undefined;
  readonly execution: string;
  readonly approval: string;
  readonly cause: string | undefined;
  readonly causedBy: string | undefined;
  readonly context: CallContext;
}

/** Every call the store holds. */
export function playedCalls(engine: Engine): readonly PlayedCall[] {
  return Array.from(engine.store.range({ gte: "actor/", lt: "actor0" })).flatMap(([key, text]) => {
    if (!key.includes("/call/")) return [];
    const { value, context } = JSON.parse(text) as Stored & {
      context: CallContext;
      value: { execution: string; approval: string };
    };
    const { denial, missing, toolUseId } = context;
    const execution = value.execution;
    const cause =
      execution === "denied" ? denial?.cause : execution === "missing-post" ? missing?.cause : undefined;
    const [, , sessionId = ""] = key.split("/");
    return {
      sessionId,
      toolUseId,
      execution,
      approval: value.approval,
      cause,
      causedBy: execution === "denied" ? denial?.callId : undefined,
      context,
    };
  });
}

/** What identifies a call without its id: its session, tool and input. */
export function likeness(sessionId: string, tool: string, input: unknown): string {
  return `${sessionId} ${tool} ${typeof input === "string" ? input : canonicalText(input)}`;
}
