// Answers
// The words in which Codex's app-server is answered, and what a client means by them.
//
//   Owns:          allow, deny and cancel in each form of an answer; which answers count.
//   Does not own:  which request has which form (asked).
//
// CODEX-ANSWERS-1. Only an answer that allows this once is an allow: one that allows more, or another thing than was asked for,
//     does not count.

import { toolInput } from "../../../runtime/canonical.ts";
import { type Fields, isFields } from "../message.ts";
import type { Answers, Asked, Said } from "../protocol.ts";

export interface AnswerWords extends Pick<Asked, "saidIn"> {
  readonly told: Answers;
}

const decided = (
  allow: string,
  deny: unknown,
  cancelled: string,
  denials: readonly string[],
): AnswerWords => ({
  told: { allow: { decision: allow }, deny: { decision: deny }, cancelled: { decision: cancelled } },
  saidIn(result) {
    const decision = isFields(result) ? result["decision"] : undefined;
    if (decision === allow) return "allow";
    if (decision === cancelled) return "cancelled";
    return denials.some((word) => decision === word || (isFields(decision) && word in decision))
      ? "deny"
      : "none";
  },
});

export const byDecision = decided("accept", "decline", "cancel", ["decline"]);
/** Of the protocol's first version. */
export const byReview = decided("approved", { denied: { rejection: "Denied." } }, "abort", [
  "denied",
  "timed_out",
]);

const acted = (action: string, content: unknown): Fields => ({ action, content, _meta: null });

export const byAction: AnswerWords = {
  told: { allow: acted("accept", {}), deny: acted("decline", null), cancelled: acted("cancel", null) },
  saidIn(result) {
    const { action, _meta: meta } = isFields(result) ? result : {};
    if (action === "decline") return "deny";
    if (action === "cancel") return "cancelled";
    // It says there how long it counts.
    const isOnce = !isFields(meta) || Object.keys(bare(meta) as Fields).length === 0;
    return action === "accept" && isOnce ? "allow" : "none";
  },
};

/** @param asked the permissions: they are granted whole, for the turn, or not at all. */
export function byGrant(asked: Fields): AnswerWords {
  const granted = (permissions: unknown): Fields => ({ permissions, scope: "turn" });
  const wanted = bare(asked) as Fields;
  return {
    told: { allow: granted(wanted), deny: granted({}), cancelled: granted({}) },
    saidIn(result): Said {
      const { permissions, scope, ...more } = isFields(result) ? result : {};
      if (!isFields(permissions)) return "none";
      const given = bare(permissions) as Fields;
      if (Object.keys(given).length === 0) return "deny";
      const isSame = scope === "turn" && toolInput(given).hash === toolInput(wanted).hash;
      return isSame && Object.keys(bare(more) as Fields).length === 0 ? "allow" : "none";
    },
  };
}

/** Without what has no value: clients leave it out, or say that there is none. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(
    ([, each]) => each !== null && each !== undefined && each !== false,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}
