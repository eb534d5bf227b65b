// Decision
// Makes an own message (one that only the engine writes) of a person's decision about an approval.
//
//   Owns:          the fields of a decision that a person sends.
//   Does not own:  the decider's name (the door that knows the sender), whether the decision counts (machines).

import { type ApprovalId, type Decision, defined } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { toolInput } from "../canonical.ts";
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
