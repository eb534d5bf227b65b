// Rule trial
// Runs rules over what was asked before: what they would have answered, and where people answered otherwise.
//
//   Owns:          which approvals are looked at, what is counted, which are shown.
//   Does not own:  what a rule answers (machines/rules).
//
// RULE-TRIAL-1. Nothing is changed, and nothing is used up: a trial asks as if the rules had always been in force. Tried
//     again on the same rows it says the same.
// RULE-TRIAL-2. It looks at 100,000 approvals at most, those that are kept and then those that were removed, the newest
//     first of either, and says if there are more. Others run in between. (by review: a test of so many takes too long)
// RULE-TRIAL-3. Of an approval that was removed it says what it said before.

import { setImmediate as nextTick } from "node:timers/promises";
import {
  type Address,
  agentBooks,
  type ApprovalContext,
  defined,
  type Guarded,
  MAIN_AGENT,
  isModels,
  ruleBehind,
  type RuleEffect,
  type RuleTerms,
  rulingOf,
  sessionAddress,
  type SessionContext,
} from "../../machines/index.ts";
import { after, keys } from "../rows/keys.ts";
import { listBy } from "../rows/listing.ts";
import { type PastApproval, pastApproval } from "../rows/past-approvals.ts";
import { regionOf } from "../rows/views.ts";
import type { Reader } from "./reader.ts";

export interface TrialItem {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly askedAt: number;
  /** The beginning of its input. */
  readonly input: string;
  readonly would: RuleEffect;
  /** The rule that would, if it has been made. */
  readonly rule?: string;
  readonly state: string;
  readonly by?: string;
  /** A person answered otherwise. */
  readonly differs: boolean;
}

export interface TrialDay {
  readonly day: string;
  readonly asked: number;
  readonly answered: number;
}

export interface Trial {
  /** How many approvals were looked at. */
  readonly asked: number;
  readonly allow: number;
  readonly deny: number;
  readonly ask: number;
  readonly differing: number;
  /** By day (UTC), the newest first: how many were asked, and how many of them the rules would have answered. */
  readonly days: readonly TrialDay[];
  /** Those where a person answered otherwise first, then the others, newest first. */
  readonly items: readonly TrialItem[];
  /** There are older ones. */
  readonly more: boolean;
}

const LOOKED_AT_MAX = 100_000;
const PAGE = 50;
const INPUT_SHOWN = 300;

type Tried = RuleTerms & { readonly id?: string };

interface TrialScope {
  readonly workspace: string;
  /** Only what was asked since then, ms. */
  readonly since: number;
  /** How many items at most. */
  readonly limit: number;
  /** Where the engine is. */
  readonly guarded: Guarded;
}

export async function trial(
  reader: Reader,
  rules: readonly Tried[],
  { workspace, since, limit, guarded }: TrialScope,
): Promise<Trial> {
  const always = rules.map(({ expiresAt: _, uses: _uses, ...rule }) => ({ ...rule, used: 0 }));
  const counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0 };
  const days = new Map<string, { asked: number; answered: number }>();
  const differing: TrialItem[] = [];
  const others: TrialItem[] = [];
  let more = false;
  for await (const past of approvals(reader, workspace, since)) {
    if (counts.asked >= LOOKED_AT_MAX) {
      more = true;
      break;
    }
    counts.asked += 1;
    const day = new Date(past.at).toISOString().slice(0, 10);
    const its = days.get(day) ?? { asked: 0, answered: 0 };
    days.set(day, its);
    its.asked += 1;
    const item = tried(past, always, guarded);
    if (!item) continue;
    counts[item.would] += 1;
    if (item.would !== "ask") its.answered += 1;
    if (item.differs) counts.differing += 1;
    const among = item.differs ? differing : others;
    if (among.length < limit) among.push(item);
  }
  return {
    ...counts,
    days: [...days]
      .map(([day, its]) => ({ day, ...its }))
      .sort((one, other) => (one.day < other.day ? 1 : -1)),
    items: [...differing, ...others].slice(0, limit),
    more,
  };
}

/** Those that are kept, then those that were removed. One that cannot be read stops no trial. */
async function* approvals(reader: Reader, workspace: string, since: number): AsyncGenerator<PastApproval> {
  const list = keys.list(listBy("approval", { workspace }));
  for await (const [, text] of backwards(reader, list, after(list))) {
    const past = read(() => keptAs(reader, JSON.parse(text) as Address));
    if (past && past.at >= since) yield past;
  }
  const whose = `/${workspace}/`;
  const behind = keys.pastApprovalsFrom(since).length;
  for await (const [key, text] of backwards(
    reader,
    keys.pastApprovalsFrom(since),
    after(keys.pastApprovals),
  )) {
    // Only keepPast writes such rows.
    const past = key.startsWith(whose, behind) ? read(() => JSON.parse(text) as PastApproval) : undefined;
    if (past) yield past;
  }
}

async function* backwards(
  { store }: Reader,
  gte: string,
  end: string,
): AsyncGenerator<readonly [key: string, text: string]> {
  for (let lt = end; ;) {
    const rows = [...store.range({ gte, lt, limit: PAGE, reverse: true })];
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    lt = last[0];
    await nextTick();
  }
}

function read(make: () => PastApproval | undefined): PastApproval | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** An approval that is kept, as it will be when it is removed. */
function keptAs(reader: Reader, address: Address): PastApproval | undefined {
  const found = reader.actor(address);
  if (!found) return undefined;
  // List rows hold addresses that the engine made: this one is an approval's.
  const { where, value, context } = found;
  const approval = context as ApprovalContext;
  const home = sessionAddress(where.workspace, where.session);
  const { agentId } = approval;
  const agentType = agentId === MAIN_AGENT ? undefined : agentBooks.get(reader.books(home), agentId)?.type;
  const { cwd } = (reader.actor(home)?.context ?? {}) as Partial<SessionContext>;
  return pastApproval(approval, regionOf(value), { sessionId: where.session, agentType, cwd });
}

function tried(past: PastApproval, rules: readonly Tried[], guarded: Guarded): TrialItem | undefined {
  const ruling = rulingOf(rules, past, guarded);
  if (!ruling) return undefined;
  const { effect: would, rule } = ruling;
  const { approvalId, sessionId, tool, at: askedAt, input, state, by } = past;
  const answered = answerOf(past);
  return {
    approvalId,
    sessionId,
    tool,
    askedAt,
    input: input && "text" in input ? input.text.slice(0, INPUT_SHOWN) : "",
    would,
    ...defined({ rule: rule.id }),
    state,
    ...defined({ by }),
    differs: answered !== undefined && would !== "ask" && answered !== would,
  };
}

/** What a person answered, here or at the client; undefined if nobody did. */
function answerOf({ state, by = "", outcome }: PastApproval): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (ruleBehind(by) !== undefined || isModels(by)) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}
