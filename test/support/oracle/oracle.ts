// Oracle
// What a recording itself proves about each tool call, read a second time from its raw lines, without the translators
// and the engine.
//
//   Owns:          the reading of evidence, per kind of file and of all kinds together.
//   Does not own:  how the engine gets there; which order the files are played in.
//
// ORACLE-1. Stronger evidence wins: a result, then the client's or a hook's word for a denial, then the word that a
//     result was lost, then what the general "user rejected" lets one infer, then the stream's own list of
//     what was denied, then an error without any such word (older clients have none), then the absence of anything.
// ORACLE-2. A file kind proves only what its own lines say: the same call may be proven otherwise by another kind.
// ORACLE-3. A hook's list of the calls of a message proves that one failed by the client's own word for an error; and
//     that one was denied by its having begun without a result, as long as all that it lists have begun.

import { answersByOtherRoutes, hookEvidence } from "./hooks.ts";
import { streamEvidence, transcriptEvidence } from "./results.ts";
import { Casebook } from "./casebook.ts";
import type { Proof } from "./casebook.ts";
import type { Recording } from "../sessions/recording.ts";

export type { Proof } from "./casebook.ts";
export type Kind = "hooks" | "stream" | "transcript" | "all";

export const KINDS: readonly Kind[] = ["hooks", "stream", "transcript", "all"];

/** @returns one proof for each (session, call) that the files of this kind name, in the order of first sight. */
export function prove(recording: Recording, kind: Kind): readonly Proof[] {
  const book = new Casebook();
  if (kind === "transcript" || kind === "all") transcriptEvidence(recording, book);
  if (kind === "stream" || kind === "all") streamEvidence(recording, book);
  if (kind === "all") answersByOtherRoutes(recording, book);
  if (kind === "hooks" || kind === "all") hookEvidence(recording, book);
  return book.proofs();
}

export { questionsOf as proveApprovals } from "./approvals.ts";
