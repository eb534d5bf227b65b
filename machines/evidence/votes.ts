// Votes
// Decides which people's approving answers count towards the demands of rules, and which answers are still missing.
//
//   Owns:          who is a person, which demand a person's vote counts for, when all demands are met.
//   Does not own:  what a rule demands (rules/demand), when an approval closes (approval).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// VOTES-1. Only people vote, not rules or models. A person counts once for each demand, however often and through whichever
//     doors the person votes. A person whose vote did not count may vote again later. A person who signs in by an identity
//     provider is recognised by the code at the end of the name (`~` and 12 characters); the rest of the name may differ. But
//     another engine that passes on a vote could invent that code. So if a demand names a person, the person's vote must also
//     come the way that the name says: `hub/ana` must vote through the engine named hub, `ana` directly at this engine.
// VOTES-2. If a demand wants two or more approvers, the requester's own vote does not count.
// VOTES-3. An approval is approved only once all its demands are met. One vote can count for several demands. If a demand names
//     people, only votes of these people count for it, and each person's vote only from the time at which the demand asks this
//     person: it may ask some people only after a wait.
// VOTES-4. If a demand wants two or more approvers, all approve the same input. A vote that edits the input does not count.
// VOTES-5. No demand delays a denial: a denial by anybody denies the call immediately.

import { isModels } from "./answerer.ts";
import type { Demand } from "../rules/terms.ts";
import { isByRule } from "../rules/rule.ts";

export interface Vote {
  readonly by: string;
  readonly at: number;
  readonly via?: string;
  readonly message?: string;
}

export interface Voted {
  readonly askedAt: number;
  readonly deadlineAt?: number;
  readonly demands?: readonly Demand[];
  readonly votes?: readonly Vote[];
  readonly requestedBy?: readonly string[];
}

/** A demand, with what is still missing until it is met. */
export interface Standing extends Demand {
  readonly given: number;
}

const DOOR = /^(?:local|http|nats):/;

const MARK = /~[0-9a-z]{12}$/;

export const isByProvider = (name: string): boolean => MARK.test(name);

/** VOTES-1. @returns the text that identifies the person who voted; undefined for a rule or a model. */
export function approverOf(by: string): string | undefined {
  if (isModels(by) || isByRule(by)) return undefined;
  return MARK.exec(by)?.[0] ?? nameWithoutDoor(by);
}

/** True if the vote is the named person's: the same person, through the same other engine or through none (VOTES-1). */
const isNamed = (name: string, by: string): boolean =>
  approverOf(name) === approverOf(by) && engineOf(name) === engineOf(by);

/** The name of the other engine through which a user decides, such as `hub/`; empty for a user of this engine. */
const engineOf = (by: string): string => /^.*\//.exec(nameWithoutDoor(by))?.[0] ?? "";

export const nameWithoutDoor = (by: string): string => by.replace(DOOR, "");

/** Why a vote does not count, in words; undefined if the vote counts. @param isEdited whether the vote changes the input. */
export function refusalOf(approval: Voted, vote: Vote, isEdited: boolean): string | undefined {
  const { demands = [], votes = [] } = approval;
  if (demands.length === 0) return undefined;
  const person = approverOf(vote.by);
  if (person === undefined) return "only people can approve it";
  if (isEdited && demands.some(needsOthers))
    return "several people must approve the same input, so it cannot be edited";
  const after = standings(approval, vote);
  const open = standings(approval).filter(({ approvals, given }) => given < approvals);
  const isNearer = open.some(({ rule, given }) =>
    after.some((each) => each.rule === rule && each.given > given),
  );
  if (open.length === 0 || isNearer) return undefined;
  if (votes.some(({ by }) => approverOf(by) === person))
    return "you approved it already: somebody else must approve it, too";
  const isAsker = open.some(needsOthers) && isRequester(approval, person);
  if (isAsker) return "whoever requested it cannot approve it: others must";
  const isLater = open.some(({ approvers = [] }) => approvers.some(({ name }) => isNamed(name, vote.by)));
  return `${askedNow(open, approval, vote.at)} is to approve it${isLater ? "; you may later" : ""}`;
}

/** How far each demand is met. @param vote a vote to count in addition to the stored votes. */
export const standings = (approval: Voted, vote?: Vote): readonly Standing[] =>
  (approval.demands ?? []).map((demand) => {
    const all = vote ? [...(approval.votes ?? []), vote] : (approval.votes ?? []);
    const people = all.filter((each) => counts(approval, demand, each)).map(({ by }) => approverOf(by));
    return { ...demand, given: new Set(people).size };
  });

export const isMet = (approval: Voted, vote?: Vote): boolean =>
  standings(approval, vote).every(({ approvals, given }) => given >= approvals);

/**
 * The next time, ms, at which a further person's approval begins to count (`afterMs`), or the approval expires; undefined if
 * no such time is left.
 * @param at the present time, ms.
 */
export function wakesAt({ askedAt, deadlineAt, demands = [] }: Voted, at: number): number | undefined {
  const asked = demands.flatMap(({ approvers = [] }) =>
    approvers.map(({ afterMs = 0 }) => askedAt + afterMs),
  );
  const later = [...asked, deadlineAt ?? at].filter((each) => each > at);
  return later.length === 0 ? undefined : Math.min(...later);
}

const needsOthers = ({ approvals }: Demand): boolean => approvals > 1;

const isRequester = ({ requestedBy = [] }: Voted, person: string): boolean =>
  requestedBy.some((each) => approverOf(each) === person);

function counts(approval: Voted, demand: Demand, { by, at }: Vote): boolean {
  const person = approverOf(by);
  if (person === undefined || (needsOthers(demand) && isRequester(approval, person))) return false;
  const { approvers } = demand;
  if (!approvers) return true;
  return approvers.some(({ name, afterMs = 0 }) => isNamed(name, by) && at >= approval.askedAt + afterMs);
}

function askedNow(open: readonly Standing[], { askedAt }: Voted, at: number): string {
  const asked = open.flatMap(({ approvers = [] }) =>
    approvers.filter(({ afterMs = 0 }) => at >= askedAt + afterMs).map(({ name }) => name),
  );
  return [...new Set(asked)].join(" or ");
}
