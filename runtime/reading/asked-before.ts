// Asked before
// Reads the approvals of the last months: the approvals that are still stored, and the rows that removed approvals left behind
// (past approvals).
//
//   Owns:          finding the approvals of the last months, and the order in which they are read.
//   Does not own:  what is computed from past approvals (rule-trial, figures/answers).
//
// ASKED-BEFORE-1. Stored approvals come first, newest first; then removed approvals, newest first. The rows are read in pages
//     of 50, and other work of the engine runs between two pages.
// ASKED-BEFORE-2. An approval whose row cannot be read is left out.
// ASKED-BEFORE-3. If the caller sets a number of rows, the engine reads at most that many stored approvals, and at most that many
//     rows of removed approvals. A row of a removed approval counts even if it belongs to another workspace.

import {
  type Address,
  agentBooks,
  type AgentId,
  type ApprovalContext,
  MAIN_AGENT,
  sessionAddress,
  type SessionContext,
} from "../../machines/index.ts";
import { tried } from "../../machines/json.ts";
import { after, keys } from "../rows/keys.ts";
import { listBy } from "../rows/listing.ts";
import { type PastApproval, pastApproval } from "../rows/past-approvals.ts";
import { regionOf } from "../rows/views.ts";
import { pagesAside } from "../rows/row-pages.ts";
import type { Reader } from "./reader.ts";

const PAGE = 50;

export interface AskedScope {
  readonly workspace?: string;
  /** Selects only approvals that were requested since this time, ms. */
  readonly since: number;
  /** Selects only approvals that were requested before this time, ms. */
  readonly until?: number;
  /** How many stored approvals, and how many removed ones, are read at most; if left out, all are read. */
  readonly rows?: number;
  /** Called if there are more approvals than `rows` allows to read. */
  readonly cut?: () => void;
}

/** A stored or removed approval that the engine still remembers, with its workspace. */
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
      const found = tried(() => keptAs(reader, JSON.parse(text) as Address));
      if (found && found.at >= since && found.at < until) yield found;
    }
  const whose = workspace === undefined ? "/" : `/${workspace}/`;
  const from = keys.pastApprovalsFrom(since);
  for await (const rows of bounded(pagesBackwards(reader, from, after(keys.pastApprovals)), bound))
    for (const [key, text] of rows) {
      // The cast is safe: only keepPast writes rows of past approvals.
      const past = key.startsWith(whose, from.length)
        ? tried(() => JSON.parse(text) as PastApproval)
        : undefined;
      if (past && past.at < until)
        yield { ...past, workspace: key.slice(from.length + 1).split("/")[0] ?? "" };
    }
}

/** ASKED-BEFORE-3: yields the first rows, at most as many as the caller allows. */
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

/** Yields pages of rows, the last page first. Reads pages, because asynchronous reading of single rows costs too much. */
const pagesBackwards = ({ store }: Reader, gte: string, end: string) =>
  pagesAside(store, { gte, lt: end, limit: PAGE, reverse: true });

/** Reads a stored approval, in the form of the row that remains after an approval's removal. */
export function keptAs(reader: Reader, address: Address): AskedBefore | undefined {
  const found = reader.actor(address);
  if (!found) return undefined;
  // The cast is safe: the engine wrote the rows of this list, which are addresses of approvals.
  const { where, value, context } = found;
  const approval = context as ApprovalContext;
  const home = sessionAddress(where.workspace, where.session);
  const facts = { sessionId: where.session, ...askerIn(reader, home, approval.agentId) };
  return { ...pastApproval(approval, regionOf(value), facts), workspace: where.workspace };
}

/** The type of the agent that asked, and the folder of its session, as far as known. */
export function askerIn(reader: Reader, home: Address, agentId: AgentId) {
  const agentType = agentId === MAIN_AGENT ? undefined : agentBooks.get(reader.books(home), agentId)?.type;
  const { cwd } = (reader.actor(home)?.context ?? {}) as Partial<SessionContext>;
  return { agentType, cwd };
}
