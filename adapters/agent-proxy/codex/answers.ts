// Answers
// The answers to Codex's app-server, and what a client means by them.
//
//   Owns:          allow, deny and cancel in each form of an answer; which answers count.
//   Does not own:  which request has which form (asked).
//
// CODEX-ANSWERS-1. An answer counts as "allow" only if it allows the one call, once. An answer that allows more does not count.

import { type Fields, isFields } from "../../../machines/json.ts";
import type { Asked } from "../protocol.ts";
import { bare, isAlike } from "../told.ts";

export type AnswerWords = Pick<Asked, "saidIn"> & Required<Pick<Asked, "told">>;

/** @param field the answer's field that allows, denies or cancels. @param denials values of the field that mean a denial. */
const worded = (
  field: string,
  [allow, deny, cancelled]: readonly [Fields, Fields, Fields],
  ...denials: readonly string[]
): AnswerWords => ({
  told: { allow, deny, cancelled },
  saidIn(result) {
    const { [field]: word, _meta: meta } = isFields(result) ? result : {};
    // Codex writes into `_meta` how long an answer is valid. An answer without such a field is valid for one call only.
    if (word === allow[field]) return isAlike(bare(meta ?? {}), {}) ? "allow" : "none";
    if (word === cancelled[field]) return "cancelled";
    return denials.some((each) => word === each || (isFields(word) && each in word)) ? "deny" : "none";
  },
});

const decided = (decision: unknown): Fields => ({ decision });
const DECISIONS = [decided("accept"), decided("decline"), decided("cancel")] as const;
export const byDecision = worded("decision", DECISIONS, "decline");
/** Allow, deny and cancel in the protocol's first version. */
const FIRST = [decided("approved"), decided({ denied: { rejection: "Denied." } }), decided("abort")] as const;
export const byReview = worded("decision", FIRST, "denied", "timed_out");

const acted = (action: string, content: unknown): Fields => ({ action, content, _meta: null });
const ACTIONS = [acted("accept", {}), acted("decline", null), acted("cancel", null)] as const;
export const byAction = worded("action", ACTIONS, "decline");

/** @param asked the permissions that the agent asks for; either all of them are granted, for the turn, or none. */
export function byGrant(asked: Fields): AnswerWords {
  const granted = (permissions: Fields): Fields => ({ permissions, scope: "turn" });
  const told = { allow: granted(bare(asked)), deny: granted({}), cancelled: granted({}) };
  return {
    told,
    saidIn(result) {
      if (!isFields(result) || !isFields(result["permissions"])) return "none";
      if (isAlike(bare(result["permissions"]), {})) return "deny";
      return isAlike(bare(result), told.allow) ? "allow" : "none";
    },
  };
}
