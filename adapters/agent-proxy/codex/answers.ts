// Answers
// The answers to Codex's app-server, and what a client means by them.
//
//   Owns:          how an answer says allow, deny or cancel, in each of its forms; which answers count as none of these.
//   Does not own:  which request has which form (asked).
//
// CODEX-ANSWERS-1. An answer counts as "allow" only if it allows the one call, once. An answer that allows more counts as no
//     answer.

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
    // An answer's `_meta` may say that the answer is valid for more than this call, for example for the session. Only an answer
    // with an empty `_meta`, or none, counts as "allow" (CODEX-ANSWERS-1).
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
