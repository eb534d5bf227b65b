// Votes
// Which approvals count towards what rules demand, and what is still missing.
//
//   Owns:          who is a person, whose vote counts towards which demand, when all demands are met.
//   Does not own:  what a rule demands (rules/demand), when an approval closes (approval).
//   Decided in:    docs/decisions/0083-two-people-and-who-is-asked-next.md.
//
// VOTES-1. Only a person votes, and counts once for each demand: a rule and a model are none. A person is the same on
//     every door. One whose time came later may vote again for what they could not before. Whoever signs in by a
//     provider is known by the mark at the end of their name, whatever stands before it.
// VOTES-2. Where two or more must approve, whoever asked does not count.
// VOTES-3. All demands must be met; a vote counts towards each that it fits. Where people are named, only theirs count,
//     and each only from the time on at which they are asked.
// VOTES-4. Where two or more must approve, they approve the same input: an edited one counts for nobody.
// VOTES-5. A demand never holds up a denial: anybody's counts at once.

import { isModels } from "./answerer.ts";
import type { Demand } from "../rules/terms.ts";
import { isByRule } from "../rules/rule.ts";

export interface Vote {
  readonly by: string;
  readonly at: number;
  readonly via?: string;
  readonly message?: string;
}

/** What an approval knows of its votes. */
export interface Voted {
  readonly askedAt: number;
  readonly deadlineAt?: number;
  readonly demands?: readonly Demand[];
  readonly votes?: readonly Vote[];
  /** Who asked, as their doors know them. */
  readonly requestedBy?: readonly string[];
}

/** How far a demand is met. */
export interface Standing extends Demand {
  readonly given: number;
}

/** The door that somebody's name begins with. */
const DOOR = /^(?:local|http|nats):/;

/** Marks a person who signed in by an identity provider. */
const MARK = /~[0-9a-z]{12}$/;

/** Whether a name is of somebody whom an identity provider let in. */
export const isByProvider = (name: string): boolean => MARK.test(name);

/** VOTES-1. @returns what tells them from all others; undefined for whoever is no person. */
export function approverOf(by: string): string | undefined {
  if (isModels(by) || isByRule(by)) return undefined;
  return MARK.exec(by)?.[0] ?? nameWithoutDoor(by);
}

/** @returns a name as people read it. */
export const nameWithoutDoor = (by: string): string => by.replace(DOOR, "");

/** Why a vote does not count, in words; undefined where it does. @param isEdited whether it changes the input. */
export function refusalOf(approval: Voted, vote: Vote, isEdited: boolean): string | undefined {
  const { demands = [], votes = [] } = approval;
  if (demands.length === 0) return undefined;
  const person = approverOf(vote.by);
  if (person === undefined) return "people are to approve it";
  if (isEdited && demands.some(needsOthers))
    return "several people approve it as it was asked: it cannot be edited";
  const after = standings(approval, vote);
  const open = standings(approval).filter(({ approvals, given }) => given < approvals);
  const isNearer = open.some(({ rule, given }) =>
    after.some((each) => each.rule === rule && each.given > given),
  );
  if (open.length === 0 || isNearer) return undefined;
  if (votes.some(({ by }) => approverOf(by) === person))
    return "you approved it already: somebody else is to approve it, too";
  const isAsker = open.some(needsOthers) && isRequester(approval, person);
  if (isAsker) return "whoever asked does not approve: others are to approve it";
  const isLater = open.some(({ approvers = [] }) =>
    approvers.some(({ name }) => approverOf(name) === person),
  );
  return `${askedNow(open, approval, vote.at)} is to approve it${isLater ? "; you may later" : ""}`;
}

/** How far each demand is met. @param vote one that is not among them yet. */
export const standings = (approval: Voted, vote?: Vote): readonly Standing[] =>
  (approval.demands ?? []).map((demand) => {
    const all = vote ? [...(approval.votes ?? []), vote] : (approval.votes ?? []);
    const people = all.filter((each) => counts(approval, demand, each)).map(({ by }) => approverOf(by));
    return { ...demand, given: new Set(people).size };
  });

/** VOTES-3 */
export const isMet = (approval: Voted, vote?: Vote): boolean =>
  standings(approval, vote).every(({ approvals, given }) => given >= approvals);

/** When something changes next: somebody else is asked, or it ends; ms. @param at now. */
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
  return approvers.some(
    ({ name, afterMs = 0 }) => approverOf(name) === person && at >= approval.askedAt + afterMs,
  );
}

/** Somebody is always asked at once. */
function askedNow(open: readonly Standing[], { askedAt }: Voted, at: number): string {
  const asked = open.flatMap(({ approvers = [] }) =>
    approvers.filter(({ afterMs = 0 }) => at >= askedAt + afterMs).map(({ name }) => name),
  );
  return [...new Set(asked)].join(" or ");
}
