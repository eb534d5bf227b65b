// Strip ids
// A recording as if the client had given its calls no ids.
//
//   Owns:          which fields are removed: every one that holds nothing but a call's id.
//   Does not own:  ids of sessions, prompts, agents, messages and lines, which stay; the other permission routes.

import type { Line, RecordedFile, Recording } from "./recording.ts";

export const CALL_ID = /^toolu_\w+$/;

export function stripIds(recording: Recording): Recording {
  return {
    ...recording,
    hooks: strippedFile(recording.hooks),
    stream: strippedFile(recording.stream),
    transcripts: recording.transcripts.map(strippedFile),
    earlierTranscripts: recording.earlierTranscripts.map(strippedFile),
  };
}

function strippedFile(file: RecordedFile): RecordedFile {
  return { ...file, lines: file.lines.map(strippedLine) };
}

function strippedLine(line: Line): Line {
  const value = stripped(line.value);
  return { ...line, value, text: JSON.stringify(value) };
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, item]) => !(typeof item === "string" && CALL_ID.test(item)));
  return Object.fromEntries(kept.map(([key, item]) => [key, stripped(item)]));
}
