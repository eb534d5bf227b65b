// Labels
// The intents of recorded calls as a person judged them, before there was code that finds them.
//
//   Owns:          reading the labels, and where the files they name lie.
//   Does not own:  the judgements (labelled.json).

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Label {
  readonly recording: string;
  readonly transcript: string;
  readonly call: string;
  readonly agentId?: string;
  /** The text, or `none` where nothing at all would be right. */
  readonly right: string;
  /** How sure anybody may be of it at most. */
  readonly atMost?: "certain" | "likely" | "weak";
  readonly reason: string;
}

const TESTS = join(import.meta.dirname, "..", "..");
export const RECORDINGS = join(TESTS, "recordings");

export function labels(): readonly Label[] {
  return JSON.parse(
    readFileSync(join(TESTS, "adapters", "intent", "labelled.json"), "utf8"),
  ) as readonly Label[];
}

export const fileOf = ({ recording, transcript }: Label): string => join(RECORDINGS, recording, transcript);
