// Asked before
// The approvals of the last months: those still stored, and the summaries kept of those removed.
//
//   Owns:          finding these approvals, and their order.
//   Does not own:  what is computed from these approvals (rule-trial, figures/answers).
//
// ASKED-BEFORE-1. Stored approvals come first, then removed ones, each newest first. Between pages, other work runs.
// ASKED-BEFORE-2. A row that cannot be read is left out.
// ASKED-BEFORE-3. Where a reader says how many rows, no more are read of either kind, whosever they are.

import { setImmediate as nextTick } from "node:timers/promises";
import {
  type Address,
  agentBooks,
  type ApprovalContext,
  MAIN_AGENT,
  sessionAddress,
  type SessionContext,
} from "../../machines/index.ts";
import { after, keys } from "../rows/keys.ts";
import { listBy } from "../rows/listing.ts";
import { type PastApproval, pastApproval } from "../rows/past-approvals.ts";
import { regionOf } from "../rows/views.ts";
import type { Reader } from "./reader.ts";

const PAGE = 50;

export interface AskedScope {
  readonly workspace?: string;
  /** Only approvals asked for since this time, ms. */
  readonly since: number;
  /** And before then, ms. */
  readonly until?: number;
  /** How many rows of either kind are read at most; all if it is left out. */
  readonly rows?: number;
  /** Told where there are more. */
  readonly cut?: () => void;
}

/** An approval of the last months, and where it was asked for. */
export interface AskedBefore extends PastApproval {
  readonly workspace: string;
}

export async function* askedBefore(
  reader: Reader,
  { workspace, since, until = Infinity, ...bound }: AskedScope,
): AsyncGenerator<AskedBefore> {
  const list = keys.list(listBy("approval", workspace === undefined ? {} : { workspace }));
  for await (const rows of bounded(pagesBackwards(reader, list, after(list)), bound))
    for (const [, text] of rows) {
      const found = read(() => keptAs(reader, JSON.parse(text) as Address));
      if (found && found.at >= since && found.at < until) yield found;
    }
  const whose = workspace === undefined ? "/" : `/${workspace}/`;
  const from = keys.pastApprovalsFrom(since);
  for await (const rows of bounded(pagesBackwards(reader, from, after(keys.pastApprovals)), bound))
    for (const [key, text] of rows) {
      // Only keepPast writes rows under this prefix.
      const past = key.startsWith(whose, from.length)
        ? read(() => JSON.parse(text) as PastApproval)
        : undefined;
      if (past && past.at < until)
        yield { ...past, workspace: key.slice(from.length + 1).split("/")[0] ?? "" };
    }
}

/** ASKED-BEFORE-3 */
async function* bounded<T>(
  pages: AsyncGenerator<readonly T[]>,
  { rows: most = Infinity, cut }: Pick<AskedScope, "rows" | "cut">,
): AsyncGenerator<readonly T[]> {
  let left = most;
  for await (const page of pages) {
    yield page.slice(0, left);
    if (page.length > left) {
      cut?.();
      return;
    }
    left -= page.length;
  }
}

/** Yields the rows of a range, the last row first. */
export async function* backwards(
  reader: Reader,
  gte: string,
  end: string,
): AsyncGenerator<readonly [key: string, text: string]> {
  for await (const rows of pagesBackwards(reader, gte, end)) yield* rows;
}

/** Reads a page of rows at a time, because a step for each row costs too much. */
async function* pagesBackwards(
  { store }: Reader,
  gte: string,
  end: string,
): AsyncGenerator<readonly (readonly [key: string, text: string])[]> {
  for (let lt = end; ;) {
    const rows = [...store.range({ gte, lt, limit: PAGE, reverse: true })];
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    lt = last[0];
    await nextTick();
  }
}

function read<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** A stored approval in the form that is kept of it once it is removed. */
export function keptAs(reader: Reader, address: Address): AskedBefore | undefined {
  const found = reader.actor(address);
  if (!found) return undefined;
  // The cast is safe: the engine wrote this list's rows, which are addresses of approvals.
  const { where, value, context } = found;
  const approval = context as ApprovalContext;
  const home = sessionAddress(where.workspace, where.session);
  const { agentId } = approval;
  const agentType = agentId === MAIN_AGENT ? undefined : agentBooks.get(reader.books(home), agentId)?.type;
  const { cwd } = (reader.actor(home)?.context ?? {}) as Partial<SessionContext>;
  const past = pastApproval(approval, regionOf(value), { sessionId: where.session, agentType, cwd });
  return { ...past, workspace: where.workspace };
}
