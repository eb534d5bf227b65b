// Decided
// The answer that the sender of a decision or an assignment gets. The answer is the same over every protocol.
//
//   Owns:          the text that says whether the decision or assignment counted, and if not, why.
//   Does not own:  sending the answer (adapters).

import type { DecisionResult } from "../../machines/index.ts";
import { visible } from "../text/visible.ts";
import type { Reply } from "../turn/turn-result.ts";
import { RefusedError } from "../errors/errors.ts";

export interface Decided {
  readonly body: object;
  readonly error?: RefusedError;
}

export function decided(approvalId: string, reply: Reply, what = "decision"): Decided {
  const { position } = reply;
  const given = reply.answers.find((each) => each.approvalId === approvalId);
  if (given?.result === "accepted" || given?.result === "counted") return { body: { ...given, position } };
  const reason = given?.reason ?? reply.reason ?? "it was not applied";
  const error = new RefusedError(
    "NOT_COUNTED",
    `The ${what} does not count: ${reason}${whose(given?.winner)}.`,
    "Read the approval again: it shows its present input, and who may still answer.",
  );
  return { body: { result: "refused", approvalId, ...given, reason, position }, error };
}

/** Says, in words, who gave the answer that counted, and where. */
function whose(winner: DecisionResult["winner"]): string {
  if (winner === undefined || winner.by === "elsewhere" || winner.by === "deadline") return "";
  return ` by ${visible(winner.by)}${winner.via === undefined ? "" : ` (${visible(winner.via)})`}`;
}
