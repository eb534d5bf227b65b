// Precedents
// Finds how people answered earlier approvals of the same call, and a rule that agrees with people's newest answers.
//
//   Owns:          which calls count as the same, how many approvals are read, what is counted.
//   Does not own:  finding past approvals (asked-before), the search for rules (suggesting).
//
// PRECEDENTS-1. Two calls are the same if they agree in workspace, folder, tool and input. A command's description in the input
//     is ignored, because it does not change what the command does. Every other field counts.
// PRECEDENTS-2. At most the 1,000 newest stored and the 1,000 newest removed approvals are read. The answer says if further
//     approvals exist.
// PRECEDENTS-3. Answers by rules, by the policy and by models are counted separately from people's answers.
// PRECEDENTS-4. A rule is suggested only if it would allow the present call, and if it would have allowed no call that a person
//     denied, as far as the approvals that were read show. A suggestion changes nothing.

import {
  type Guarded,
  NOTHING_GUARDED,
  parseAddress,
  type RuleTerms,
  rulingOf,
} from "../../../machines/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { answeredBy, type PastApproval } from "../../rows/past-approvals.ts";
import { askedBefore, keptAs } from "../asked-before.ts";
import { marksOnce } from "../backtest/once.ts";
import { findOwned, type Within } from "../lookup.ts";
import type { Reader } from "../reader.ts";
import { answersBy } from "../suggesting/answer.ts";
import { type Candidate, Candidates } from "../suggesting/candidates.ts";
import { Denials } from "../suggesting/denials.ts";

export interface Answerer {
  /** The name of the answerer; empty for a person who answered in the client's own dialog. */
  readonly name: string;
  readonly allowed: number;
  readonly denied: number;
}

export interface Precedents {
  /** How often people allowed the same call before, in Signalbox or at the client. `denied`: how often they denied it. */
  readonly allowed: number;
  readonly denied: number;
  /** How often rules or models answered. */
  readonly byRules: number;
  /** Who answered the same call; whoever answered most comes first; at most five. */
  readonly by: readonly Answerer[];
  /** When an approval of the same call was last requested, ms. */
  readonly lastAt?: number;
  /**
   * A rule that would allow this call and agrees with people's answers. `allow`: how many of these answers the rule would have
   * given.
   */
  readonly rule?: { readonly terms: RuleTerms; readonly allow: number };
  /** How many approvals of the workspace were read. */
  readonly looked: number;
  /** True if the workspace has older approvals that were not read. */
  readonly more: boolean;
}

const ROWS_MAX = 1_000;
const BY_MAX = 5;
const CANDIDATES_MAX = 20;

/** @returns undefined for an unknown approval. @throws AmbiguousError */
export async function precedentsOf(
  engine: Engine,
  reader: Reader,
  id: string,
  within: Within,
): Promise<Precedents | undefined> {
  const address = findOwned(reader, "approval", id, within);
  const asked = address && keptAs(reader, address);
  if (!address || !asked) return undefined;
  const { workspace } = parseAddress(address);
  const same = sameOf(asked);
  const looked: PastApproval[] = [];
  let more = false;
  const cut = (): void => void (more = true);
  for await (const past of askedBefore(reader, { workspace, since: 0, rows: ROWS_MAX, cut }))
    if (isAnswered(past)) looked.push(past);
  const found = looked.filter(
    (past) => past.tool === asked.tool && same !== undefined && sameOf(past) === same,
  );
  const by = answerersOf(found);
  const { guarded = NOTHING_GUARDED } = engine.meta().configuration;
  const rule = await ruleFor(asked, guarded, looked);
  return {
    allowed: sumOf(by, "allowed"),
    denied: sumOf(by, "denied"),
    byRules: found.filter((past) => answeredBy(past) === undefined).length,
    by: by.slice(0, BY_MAX),
    ...(found.length > 0 && { lastAt: Math.max(...found.map(({ at }) => at)) }),
    ...(rule && { rule }),
    looked: looked.length,
    more,
  };
}

const isAnswered = ({ state, outcome }: PastApproval): boolean =>
  state === "approved" || state === "denied" || outcome === "approved" || outcome === "denied";

/** PRECEDENTS-1: a key that the same calls share. @returns undefined if the input is not stored. */
function sameOf({ tool, cwd, sessionId, input, shell }: PastApproval): string | undefined {
  if (!input || !("text" in input)) return undefined;
  const place = cwd === undefined ? [sessionId] : ["", cwd];
  const said = JSON.parse(input.text) as unknown;
  const isCommand = typeof said === "object" && said !== null && "command" in said;
  const told = isCommand ? { ...said, description: undefined } : said;
  return JSON.stringify([place, tool, shell?.cwd, told]);
}

/** Who answered past approvals; whoever answered most comes first. */
function answerersOf(pasts: readonly PastApproval[]): readonly Answerer[] {
  const found = new Map<string, Answerer>();
  for (const past of pasts) {
    const decision = answeredBy(past);
    if (decision === undefined) continue;
    const { by: name = "" } = past;
    const { allowed, denied } = found.get(name) ?? { allowed: 0, denied: 0 };
    const [more, less] = decision === "allow" ? [1, 0] : [0, 1];
    found.set(name, { name, allowed: allowed + more, denied: denied + less });
  }
  const count = ({ allowed, denied }: Answerer): number => allowed + denied;
  return [...found.values()].sort((a, b) => count(b) - count(a) || (a.name < b.name ? -1 : 1));
}

const sumOf = (by: readonly Answerer[], what: "allowed" | "denied"): number =>
  by.reduce((sum, each) => sum + each[what], 0);

/** PRECEDENTS-4: the rule to suggest for the call, if there is any. */
async function ruleFor(
  asked: PastApproval,
  guarded: Guarded,
  looked: readonly PastApproval[],
): Promise<Precedents["rule"]> {
  const marking = marksOnce();
  const [candidates, denials] = [new Candidates(), new Denials(marking)];
  const answerOf = answersBy(marking);
  for (const past of looked) {
    if (answeredBy(past) === "deny") denials.add(past);
    const answer = past.cwd === asked.cwd ? answerOf(past) : undefined;
    if (answer) candidates.add(answer);
  }
  const allows = ({ terms }: Candidate, past: PastApproval): boolean =>
    rulingOf([terms], marking(past), guarded)?.effect === "allow";
  const near = (await candidates.most(CANDIDATES_MAX)).filter((each) => allows(each, asked));
  const [best] = await denials.leave(near);
  if (!best) return undefined;
  const allow = looked.filter((past) => answeredBy(past) === "allow" && allows(best, past)).length;
  return { terms: best.terms, allow };
}
