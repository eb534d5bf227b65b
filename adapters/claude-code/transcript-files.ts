// Transcript files
// Where the client stores a session's transcripts, as its hooks say, and what a transcript line says about itself.
//
//   Owns:          the fields, names and folders of transcript files; which kinds of line repeat other lines.
//   Does not own:  deciding which files may be read, reading them (transcripts), the meaning of a line (transcript).
//
// CLAUDE-CODE-TRANSCRIPT-FILES-1. A line of an unknown kind is not skipped: a later version of Signalbox may understand it.

import { join } from "node:path";
import type { LineFacts, TranscriptForm, TranscriptNaming } from "../../runtime/client-profile.ts";
import {
  fieldsOf,
  optionalChild,
  optionalId,
  optionalText,
  requiredName,
} from "../../runtime/foreign-fields.ts";

/** @param data the data of a hook's message: `{hook: payload}`. @returns undefined if the payload names no file. */
function naming(data: unknown): TranscriptNaming | undefined {
  const hook = optionalChild(fieldsOf(data), "hook");
  const path = hook && optionalText(hook, "transcript_path");
  if (!hook || path === undefined) return undefined;
  const agent = optionalText(hook, "agent_id") ?? "";
  const isEnd = optionalText(hook, "hook_event_name") === "SessionEnd";
  return {
    path,
    isEnd,
    ...(AGENT.test(agent) && { ofAgent: join(subagentsOf(path), `agent-${agent}.jsonl`) }),
  };
}

const AGENT = /^[A-Za-z0-9_-]{1,128}$/;
const OF_AGENT = /^agent-[A-Za-z0-9_-]{1,128}\.jsonl$/;

/** @param path the path of the main transcript. */
const subagentsOf = (path: string): string => join(path.replace(/\.jsonl$/, ""), "subagents");

const isSubagents = (name: string): boolean => OF_AGENT.test(name);

/** Types of lines that mean nothing for a session: `api-request-blob` repeats results, the others are about the client itself. */
const ASIDE: ReadonlySet<string> = new Set([
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "cost-state",
  "file-history-delta",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "queue-operation",
  "tools-used",
]);

/** @param line parsed. @throws RefusedError if the line is not an object with a type. */
function factsOf(line: unknown): LineFacts {
  const fields = fieldsOf(line);
  const isAside = ASIDE.has(requiredName(fields, "type"));
  const sessionId = optionalId(fields, "sessionId");
  return sessionId === undefined ? { isAside } : { sessionId, isAside };
}

export const transcripts: TranscriptForm = {
  type: "claude-code.transcript",
  source: "claude-code-transcript",
  factsOf,
  naming,
  subagentsOf,
  isSubagents,
};
