// Rule trial
// Runs rules over what was asked before: what they would have answered, and where people answered otherwise.
//
//   Owns:          which approvals are looked at, what is counted, which are shown.
//   Does not own:  what a rule answers (machines/rules).
//
// RULE-TRIAL-1. Nothing is changed, and nothing is used up: a trial asks as if the rules had always been in force.
// RULE-TRIAL-2. It looks at 10,000 approvals at most, the newest, and says if there are more. Others run in between. (by
//     review: a test of so many takes too long)

import { setImmediate as nextTick } from "node:timers/promises";
import {
  type Address,
  agentBooks,
  type ApprovalContext,
  type AskedCall,
  defined,
  type Guarded,
  MAIN_AGENT,
  ruleBehind,
  type RuleEffect,
  type RuleTerms,
  rulingOf,
  sessionAddress,
  type SessionContext,
} from "../../machines/index.ts";
import { keys } from "../rows/keys.ts";
import { listBy } from "../rows/listing.ts";
import { regionOf } from "../rows/views.ts";
import type { Found, Reader } from "./reader.ts";

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

export interface Trial {
  /** How many approvals were looked at. */
  readonly asked: number;
  readonly allow: number;
  readonly deny: number;
  readonly ask: number;
  readonly differing: number;
  /** Those where a person answered otherwise first, then the others, newest first. */
  readonly items: readonly TrialItem[];
  /** There are older ones. */
  readonly more: boolean;
}

const LOOKED_AT_MAX = 10_000;
const PAGE = 200;
const INPUT_SHOWN = 300;

type Tried = RuleTerms & { readonly id?: string };

interface TrialScope {
  readonly workspace: string;
  /** How many items at most. */
  readonly limit: number;
  /** Where the engine is. */
  readonly guarded: Guarded;
}

export async function trial(
  reader: Reader,
  rules: readonly Tried[],
  { workspace, limit, guarded }: TrialScope,
): Promise<Trial> {
  const always = rules.map(({ expiresAt: _, uses: _uses, ...rule }) => ({ ...rule, used: 0 }));
  const counts = { asked: 0, allow: 0, deny: 0, ask: 0, differing: 0 };
  const differing: TrialItem[] = [];
  const others: TrialItem[] = [];
  const prefix = keys.list(listBy("approval", { workspace }));
  let lt = `${prefix}~`;
  for (;;) {
    const rows = [...reader.store.range({ gte: prefix, lt, limit: PAGE, reverse: true })];
    for (const [key, text] of rows) {
      lt = key;
      if (counts.asked >= LOOKED_AT_MAX)
        return { ...counts, items: shown(differing, others, limit), more: true };
      const found = readable(reader, text);
      if (!found) continue;
      counts.asked += 1;
      const item = tried(reader, found, always, guarded);
      if (!item) continue;
      counts[item.would] += 1;
      if (item.differs) counts.differing += 1;
      const among = item.differs ? differing : others;
      if (among.length < limit) among.push(item);
    }
    if (rows.length < PAGE) return { ...counts, items: shown(differing, others, limit), more: false };
    await nextTick();
  }
}

const shown = (
  differing: readonly TrialItem[],
  others: readonly TrialItem[],
  limit: number,
): readonly TrialItem[] => [...differing, ...others].slice(0, limit);

/** Undefined for a row that cannot be read: it stops no trial. */
function readable(reader: Reader, text: string): Found | undefined {
  try {
    // List rows hold addresses that the engine made.
    return reader.actor(JSON.parse(text) as Address);
  } catch {
    return undefined;
  }
}

function tried(
  reader: Reader,
  { where, value, context }: Found,
  rules: readonly Tried[],
  guarded: Guarded,
): TrialItem | undefined {
  // The actor at an approval's address is one.
  const approval = context as ApprovalContext;
  const home = sessionAddress(where.workspace, where.session);
  const ruling = rulingOf(rules, askedCall(reader, home, where.session, approval), guarded);
  if (!ruling) return undefined;
  const { effect: would, rule } = ruling;
  const { id: approvalId, tool, askedAt, input, by } = approval;
  const state = regionOf(value);
  const answered = answerOf(state, approval);
  return {
    approvalId,
    sessionId: where.session,
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
function answerOf(state: string, { by = "", outcome }: ApprovalContext): "allow" | "deny" | undefined {
  const said = state === "withdrawn" ? outcome : state;
  if (ruleBehind(by) !== undefined) return undefined;
  return said === "approved" ? "allow" : said === "denied" ? "deny" : undefined;
}

function askedCall(
  reader: Reader,
  home: Address,
  sessionId: AskedCall["sessionId"],
  { tool, input, agentId, ambiguous, askedAt }: ApprovalContext,
): AskedCall {
  const type = agentId === MAIN_AGENT ? undefined : agentBooks.get(reader.books(home), agentId)?.type;
  const { cwd } = (reader.actor(home)?.context ?? {}) as Partial<SessionContext>;
  return {
    sessionId,
    tool,
    agentId,
    isAmbiguous: ambiguous,
    at: askedAt,
    ...defined({ input, agentType: type, cwd }),
  };
}
