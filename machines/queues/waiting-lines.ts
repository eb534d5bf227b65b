// Waiting lines
// Names the queues ("lines") in which approvals wait for a call that was not seen yet.
//
//   Owns:          the names of the lines, and the order in which the lines are read for a new call.
//   Does not own:  the approvals in the lines (waiting-approvals).
//
// WAITING-LINES-1. Every approval in a line matches every call for which the line is read. For a call, only the first approval of
//     a line is read.

import { type ApprovalBook, workOf } from "../books.ts";
import { type Digest, queueKeys } from "./queue-keys.ts";
import type { AgentId, RequestId } from "../ids.ts";
import type { Records } from "../records.ts";

export interface Said {
  readonly agentId: AgentId;
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly hash?: string;
}

type Verdict = "denied" | "asked" | "over";
/**
 * The order in which the lines of waiting approvals are searched for a call. `asked`: pending, or approved; `over`: expired,
 * withdrawn, or not counted.
 */
const VERDICTS: readonly Verdict[] = ["denied", "asked", "over"];
function verdictOf(book: ApprovalBook): Verdict {
  if (book.denied) return "denied";
  return isOver(book) ? "over" : "asked";
}

/** True for an approval that expired or was withdrawn, or that an older version approved without counting it as unbound. */
export const isOver = ({ denied, answered }: ApprovalBook): boolean =>
  !denied && answered !== undefined && (answered.state !== "approved" || !answered.counted);

/**
 * A call without an id also matches approvals that name any call; a call with an id matches no approval that names another call.
 */
const inLine = (work: RequestId, naming: boolean, key: string): string =>
  `${naming ? "naming" : "nameless"}/${work}/${key}`;

/** The keys of an approval: by input; by tool, for an approval that shows no input; by tool, for an approval with an input. */
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

/** The lines of the approvals that name one call, whatever work the approvals belong to. */
export const namedLines = (toolUseId: string): readonly string[] =>
  VERDICTS.map((verdict) => `${verdict}/use/${toolUseId}`);

export const denialsOf = (requestId: RequestId): string => `denied/of/${requestId}`;

/** The lines of waiting approvals by the names of an older version, which did not have a line of its own for each work. */
export function oldLines(digest: Digest, { agentId, tool, toolUseId, hash }: Said): readonly string[] {
  const named = toolUseId === undefined ? [] : [`use/${toolUseId}`];
  if (tool === undefined || hash === undefined) return named;
  return [...named, ...queueKeys(digest, { agentId, tool, hash }).slice(0, 1)];
}
