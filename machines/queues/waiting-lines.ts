// Waiting lines
// Names the lines in which approvals wait for an unseen call, and in which a call looks for its approval.
//
//   Owns:          the names of the lines; the order in which a call reads them.
//   Does not own:  the entries of the lines (waiting-approvals).
//
// WAITING-LINES-1. Every approval in a line matches every call that reads the line. Only the first is ever read, so other
//     approvals never delay the one that a call is about.

import { type ApprovalBook, workOf } from "../books.ts";
import { type Digest, queueKeys } from "./queue-keys.ts";
import type { AgentId, RequestId } from "../ids.ts";
import type { Records } from "../records.ts";

/** The facts that a call, or an approval, gives about the call. */
export interface Said {
  readonly agentId: AgentId;
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly hash?: string;
}

type Verdict = "denied" | "asked" | "answered";
/** An approved one counts as one that nobody has answered; one that expired or was withdrawn comes last. */
const VERDICTS: readonly Verdict[] = ["denied", "asked", "answered"];
function verdictOf(book: ApprovalBook): Verdict {
  if (book.denied) return "denied";
  return isOver(book) ? "answered" : "asked";
}

/** True for an approval that expired or was withdrawn, and so neither allows nor denies. */
export const isOver = ({ denied, answered }: ApprovalBook): boolean =>
  !denied && answered !== undefined && (answered.state !== "approved" || !answered.counted);

/** An approval that names its call may be matched by a call without an id, but never by a call with another id. */
const inLine = (work: RequestId, naming: boolean, key: string): string =>
  `${naming ? "naming" : "nameless"}/${work}/${key}`;

/** By input; by tool, for approvals without input; by tool, for all with input. */
function keysOf(digest: Digest, agentId: AgentId, tool: string, hash: string | undefined) {
  const [first = "", name = first] = queueKeys(digest, { agentId, tool, hash });
  return { input: `input/${first}`, unshown: `unshown/${name}`, shown: `shown/${name}` };
}

export function linesOf(records: Records, digest: Digest, book: ApprovalBook): readonly string[] {
  const { agentId, requestId, tool, toolUseId, hash } = book;
  const { input, unshown, shown } = keysOf(digest, agentId, tool, hash);
  const work = workOf(records, requestId);
  const verdict = verdictOf(book);
  return [
    ...(toolUseId === undefined ? [] : [`${verdict}/use/${toolUseId}`]),
    ...(hash === undefined ? [unshown] : [input, shown]).map(
      (key) => `${verdict}/${inLine(work, toolUseId !== undefined, key)}`,
    ),
    ...(book.denied ? [denialsOf(requestId)] : []),
  ];
}

/** The lines in which a call looks for its approval, in this order. */
export function linesFor(digest: Digest, said: Said, work: RequestId): readonly string[] {
  const { agentId, tool, toolUseId, hash } = said;
  const named = toolUseId === undefined ? [] : namedLines(toolUseId);
  if (tool === undefined) return named;
  const { input, unshown, shown } = keysOf(digest, agentId, tool, hash);
  const fitting = (hash === undefined ? [unshown, shown] : [input, unshown]).flatMap((key) =>
    (toolUseId === undefined ? [false, true] : [false]).map((naming) => inLine(work, naming, key)),
  );
  return [...named, ...VERDICTS.flatMap((verdict) => fitting.map((line) => `${verdict}/${line}`))];
}

/** The lines of approvals that name one call, whatever work they were requested in. */
export const namedLines = (toolUseId: string): readonly string[] =>
  VERDICTS.map((verdict) => `${verdict}/use/${toolUseId}`);

export const denialsOf = (requestId: RequestId): string => `denied/of/${requestId}`;

/** The lines as they were before each belonged to one work. */
export function oldLines(digest: Digest, { agentId, tool, toolUseId, hash }: Said): readonly string[] {
  const named = toolUseId === undefined ? [] : [`use/${toolUseId}`];
  if (tool === undefined || hash === undefined) return named;
  return [...named, ...queueKeys(digest, { agentId, tool, hash }).slice(0, 1)];
}
