// Past marks
// Decides which lines of a transcript are older than the client process that writes the transcript.
//
//   Owns:          the times before which a transcript line counts as history.
//   Does not own:  what a line of history may change (past).
//
// PAST-MARKS-1. A line is history if it is older than the session's newest start by `fork` or `resume`. The times of the line and
//     of the start are by the source's own clock. If the start by `fork` has no time, the journal's time of the start counts.
// PAST-MARKS-2. A line is also history if it is clearly older than the prompt whose id it has. A fork gives all copied lines its
//     own prompt id, even if nobody reported the fork. The line of the prompt itself is a moment older than the hook's report of
//     the prompt, so a moment does not count. A subagent's line without a prompt id may belong to an earlier prompt, so it is not
//     compared.
// PAST-MARKS-3. A transcript line without a time, or a message that is not from a transcript, is never history.

import { head, prompts, type RequestBook, requests, setHead } from "../books.ts";
import { MAIN_AGENT } from "../ids.ts";
import type { PromptSubmitted, SessionStarted, SourceInput } from "../inputs.ts";
import { askedBy } from "./asked.ts";
import { lags, promptOf, type Scene } from "./scene.ts";

/** A prompt's line in the transcript may be up to this much older than the hook's report of the prompt, ms. */
const BEFORE_MS = 2_000;

/** Stores when the process that continues an earlier history began. A time in the future does not count. */
export function noteBeginning({ records, at }: Scene, { reason, observedAt }: SessionStarted): void {
  const since = observedAt === undefined ? (reason === "fork" ? at : undefined) : Math.min(observedAt, at);
  if (since === undefined || (reason !== "fork" && reason !== "resume")) return;
  const { beganAt = since, forkedAt } = head(records);
  setHead(records, {
    beganAt: Math.max(beganAt, since),
    ...(reason === "fork" && { forkedAt: Math.max(forkedAt ?? since, since) }),
  });
}

/** What a request stores of its prompt. The time in a transcript's line is not stored, because the line may be a copy. */
export function givenBy(scene: Scene, input: PromptSubmitted): Pick<RequestBook, "asked" | "askedAt"> {
  const { observedAt } = input;
  const isTold = observedAt !== undefined && !lags(scene);
  return { ...askedBy(input), ...(isTold && { askedAt: Math.min(observedAt, scene.at) }) };
}

export function isPast(scene: Scene, input: SourceInput): boolean {
  const { observedAt } = input;
  if (!lags(scene) || observedAt === undefined) return false;
  const { beganAt } = head(scene.records);
  return (beganAt !== undefined && observedAt < beganAt) || isBeforeItsPrompt(scene, input, observedAt);
}

function isBeforeItsPrompt(scene: Scene, input: SourceInput, observedAt: number): boolean {
  const { askedAt } = claimedPrompt(scene, input) ?? {};
  return askedAt !== undefined && observedAt < askedAt - BEFORE_MS;
}

function claimedPrompt(scene: Scene, input: SourceInput): RequestBook | undefined {
  const { records } = scene;
  const { agentId = MAIN_AGENT } = input;
  if (agentId !== MAIN_AGENT && input.promptId === undefined) return undefined;
  const promptId = promptOf(scene, input);
  const id = promptId === undefined ? head(records).requestId : prompts.get(records, promptId);
  return id === undefined ? undefined : requests.get(records, id);
}

/** True if the line is a copy of another session's line. It belongs to no prompt of this session, whatever prompt id it has. */
export function isCopied(scene: Scene, input: SourceInput): boolean {
  const { observedAt } = input;
  const { forkedAt } = head(scene.records);
  if (observedAt === undefined) return false;
  return (
    (forkedAt !== undefined && observedAt < forkedAt) ||
    (input.promptId !== undefined && isOlderThan(scene, input.promptId, observedAt))
  );
}

function isOlderThan({ records }: Scene, promptId: string, observedAt: number): boolean {
  const id = prompts.get(records, promptId);
  const asked = id === undefined ? undefined : requests.get(records, id)?.askedAt;
  return asked !== undefined && observedAt < asked;
}
