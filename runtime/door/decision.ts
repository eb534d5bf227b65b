// Decision
// Reads a person's decision about an approval, as an own message.
//
//   Owns:          the shape of a decision.
//   Does not own:  the decider's name (the door that knows the sender), whether the decision counts (machines).

import { type ApprovalId, type Decision, defined } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { toolInput } from "../canonical.ts";
import { parseBody } from "./parse.ts";
import { DECISION, NAMED_DECISION, readAs } from "./schemas.ts";

/**
 * @param by the decider, as the door knows it.
 * @param named the approval, if the door knows it; otherwise the body names it.
 * @throws RefusedError with the path of the fault in the body.
 */
export function readDecision(body: Uint8Array, by: string, named?: string): Decision {
  const value = parseBody(body, (key) => key === "updatedInput");
  const said =
    named === undefined
      ? readAs(NAMED_DECISION, value, "")
      : { approvalId: named, ...readAs(DECISION, value, "") };
  const { approvalId, decision, inputHash, message, interrupt, updatedInput, via } = said;
  if (decision === "approve" && inputHash === undefined) throw noHash();
  const edited = updatedInput === undefined ? undefined : toolInput(updatedInput);
  return {
    type: "decision",
    // The cast is not proven here: the text only has the form of an id. The door checks that such an approval exists.
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
