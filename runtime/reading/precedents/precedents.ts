// Precedents
// How people answered the same call before, and a rule that their answers agree on, from the newest answers alone.
//
//   Owns:          which calls are the same, how many answers are looked at, what is counted.
//   Does not own:  which approvals there are (asked-before), the search for rules (suggesting).
//
// PRECEDENTS-1. The same are calls of one tool, in one folder of the workspace, with the same input. What an agent only says
//     of a command, its description, makes it no other call; each other field does.
// PRECEDENTS-2. It reads 1,000 rows of what is kept and 1,000 of what was removed at most, the newest, however many
//     there are, and says if there are more.
// PRECEDENTS-3. What rules and models answered is counted apart: it is no person's answer.
// PRECEDENTS-4. A rule is told only if it would allow this call, and nobody denied one that it would have allowed, among those
//     that were looked at. Nothing is changed.

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
  /** Empty for somebody at the client's own dialog. */
  readonly name: string;
  readonly allowed: number;
  readonly denied: number;
}

export interface Precedents {
  /** How often people allowed and denied the same call, here or at the client. */
  readonly allowed: number;
  readonly denied: number;
  /** Answers by rules and by models. */
  readonly byRules: number;
  /** Whoever answered most comes first; at most five. */
  readonly by: readonly Answerer[];
  /** When the same call was asked about last, ms. */
  readonly lastAt?: number;
  /** A rule that would allow this call and that people's answers agree on, and how many of these it would have given. */
  readonly rule?: { readonly terms: RuleTerms; readonly allow: number };
  /** How many approvals of the workspace were looked at. */
  readonly looked: number;
  /** There are older ones. */
  readonly more: boolean;
}

interface PrecedentsWish {
  readonly workspace: string;
  /** What is asked about now. */
  readonly asked: PastApproval;
  /** Where the engine is. */
  readonly guarded: Guarded;
}

const ROWS_MAX = 1_000;
const BY_MAX = 5;
const CANDIDATES_MAX = 20;

/** Of an approval's call; undefined for one that is unknown. @throws AmbiguousError */
export async function precedentsOf(
  engine: Engine,
  reader: Reader,
  id: string,
  within: Within,
): Promise<Precedents | undefined> {
  const address = findOwned(reader, "approval", id, within);
  const asked = address && keptAs(reader, address);
  if (!address || !asked) return undefined;
  const { guarded = NOTHING_GUARDED } = engine.meta().configuration;
  return precedents(reader, { workspace: parseAddress(address).workspace, asked, guarded });
}

async function precedents(reader: Reader, wish: PrecedentsWish): Promise<Precedents> {
  const { workspace, asked } = wish;
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
  const rule = await ruleFor(wish, looked);
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

/** PRECEDENTS-1 @returns undefined where the input is not there. */
function sameOf({ tool, cwd, sessionId, input, shell }: PastApproval): string | undefined {
  if (!input || !("text" in input)) return undefined;
  const place = cwd === undefined ? [sessionId] : ["", cwd];
  const said = JSON.parse(input.text) as unknown;
  const isCommand = typeof said === "object" && said !== null && "command" in said;
  const told = isCommand ? { ...said, description: undefined } : said;
  return JSON.stringify([place, tool, shell?.cwd, told]);
}

/** Whoever answered most comes first. */
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

/** PRECEDENTS-4 */
async function ruleFor(
  { asked, guarded }: PrecedentsWish,
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
