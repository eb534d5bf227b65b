// Decision
// Makes an own message (one that only the engine writes) of a person's decision about an approval, and the answer that the sender
// of a decision or an assignment gets. The answer is the same over every protocol.
//
//   Owns:          the fields of a decision that a person sends; the text that says whether the decision or assignment counted,
//                  and if not, why.
//   Does not own:  the decider's name (the door that knows the sender), whether the decision counts (machines),
//                  sending the answer (adapters).

import { type ApprovalId, type Decision, type DecisionResult, defined } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { toolInput } from "../canonical.ts";
import { visible } from "../text/visible.ts";
import type { Reply } from "../turn/turn-result.ts";
import { DECISION, NAMED_DECISION, readBody } from "./schemas.ts";

/**
 * Reads the body of a decision. @param by the name of whoever decides, as the door knows it. @param named the approval's id, if
 * the door knows it; otherwise the body names the approval.
 * @throws RefusedError with the path of the fault in the body.
 */
export function readDecision(body: Uint8Array, by: string, named?: string): Decision {
  const isText = (key: string): boolean => key === "updatedInput";
  const said =
    named === undefined
      ? readBody(NAMED_DECISION, body, isText)
      : { approvalId: named, ...readBody(DECISION, body, isText) };
  const { approvalId, decision, inputHash, message, interrupt, updatedInput, via } = said;
  if (decision === "approve" && inputHash === undefined) throw noHash();
  const edited = updatedInput === undefined ? undefined : toolInput(updatedInput);
  return {
    type: "decision",
    // The text only has the form of an id. The door checks later that an approval has this id, so the cast is safe.
    approvalId: approvalId as ApprovalId,
    decision,
    by,
    ...defined({ inputHash, message, interrupt, updatedInput: edited, via }),
  };
}

const noHash = (): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    "inputHash is missing: an approval must name the input that was seen.",
    "Read the approval, show its input, and send its inputHash; an approval without an input can only be denied here.",
    "inputHash",
  );

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
