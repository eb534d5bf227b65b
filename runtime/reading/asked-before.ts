// Asked before
// Reads the approvals of the last months: those still stored, and the rows that removed ones left (past approvals).
//
//   Owns:          finding these approvals, and the order in which they are read.
//   Does not own:  what is computed from past approvals (rule-trial, figures/answers).
//
// ASKED-BEFORE-1. Stored approvals come first, then removed ones, each newest first. Other work runs between two pages.
// ASKED-BEFORE-2. An approval whose row cannot be read is left out.
// ASKED-BEFORE-3. If the caller sets a number of rows, at most that many stored and that many removed approvals are read, of
//     whatever workspace they are.

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
  /** Only approvals that were requested since this time, ms. */
  readonly since: number;
  /** Only approvals that were requested before this time, ms. */
  readonly until?: number;
  /** How many stored, and how many removed approvals are read at most; all if left out. */
  readonly rows?: number;
  /** Called if there are more approvals than `rows` allows to read. */
  readonly cut?: () => void;
}

/** An approval of the last months, with its workspace. */
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
      // The cast is safe: only keepPast writes rows under this prefix.
      const past = key.startsWith(whose, from.length)
        ? read(() => JSON.parse(text) as PastApproval)
        : undefined;
      if (past && past.at < until)
        yield { ...past, workspace: key.slice(from.length + 1).split("/")[0] ?? "" };
    }
}

/** ASKED-BEFORE-3: the first rows, at most as many as the caller sets. */
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

/** Reads a page of rows at a time, because asynchronous reading of single rows costs too much. */
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

/** A stored approval in the form of the row that it leaves when it is removed. */
export function keptAs(reader: Reader, address: Address): AskedBefore | undefined {
  const found = reader.actor(address);
  if (!found) return undefined;
  // The cast is safe: the engine wrote the rows of this list, which are addresses of approvals.
  const { where, value, context } = found;
  const approval = context as ApprovalContext;
  const home = sessionAddress(where.workspace, where.session);
  const { agentId } = approval;
  const agentType = agentId === MAIN_AGENT ? undefined : agentBooks.get(reader.books(home), agentId)?.type;
  const { cwd } = (reader.actor(home)?.context ?? {}) as Partial<SessionContext>;
  const past = pastApproval(approval, regionOf(value), { sessionId: where.session, agentType, cwd });
  return { ...past, workspace: where.workspace };
}
