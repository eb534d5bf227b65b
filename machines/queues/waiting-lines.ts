// Waiting lines
// Names the queues ("lines") in which approvals wait for a call that was not seen yet.
//
//   Owns:          the names of the lines, and the order in which the lines are read for a new call.
//   Does not own:  the approvals in the lines (waiting-approvals).
//
// WAITING-LINES-1. For a new call only those lines are read whose every approval matches the call. So it is enough to read the
//     first approval of each line.

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
/** The order in which a call's lines are searched. `asked`: pending or approved. `over`: ended in another way (see `isOver`). */
const VERDICTS: readonly Verdict[] = ["denied", "asked", "over"];
function verdictOf(book: ApprovalBook): Verdict {
  if (book.denied) return "denied";
  return isOver(book) ? "over" : "asked";
}

/** True for an approval that expired or was withdrawn, or that an older version approved and did not count in `Head.unbound`. */
export const isOver = ({ denied, answered }: ApprovalBook): boolean =>
  !denied && answered !== undefined && (answered.state !== "approved" || !answered.counted);

/**
 * The name of a line. Approvals that name their call wait in lines of their own (`naming`), because a call with an id must not
 * get an approval that names another call.
 */
const inLine = (work: RequestId, naming: boolean, key: string): string =>
  `${naming ? "naming" : "nameless"}/${work}/${key}`;

/**
 * The keys of lines: `input` by tool and input; `unshown` by tool, for approvals without an input; `shown` by tool, for
 * approvals with an input.
 */
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

/** The lines of the approvals that name one call, whichever request the approvals belong to. */
export const namedLines = (toolUseId: string): readonly string[] =>
  VERDICTS.map((verdict) => `${verdict}/use/${toolUseId}`);

export const denialsOf = (requestId: RequestId): string => `denied/of/${requestId}`;

/**
 * The names that builds before release 0.1.0 gave to the lines. These builds did not separate approvals of different requests. An
 * approval stays in such a line until a new call looks for its approval (`renew` in waiting-approvals).
 */
export function oldLines(digest: Digest, { agentId, tool, toolUseId, hash }: Said): readonly string[] {
  const named = toolUseId === undefined ? [] : [`use/${toolUseId}`];
  if (tool === undefined || hash === undefined) return named;
  return [...named, ...queueKeys(digest, { agentId, tool, hash }).slice(0, 1)];
}
