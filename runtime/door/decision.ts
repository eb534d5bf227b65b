// Decision
// What a person says to a question, as the engine's own message.
//
//   Owns:          the shape of a decision.
//   Does not own:  who decides (the door that knows the sender), whether it counts (machines).

import type { ApprovalId, Decision } from "../../machines/index.ts";
import { RefusedError } from "../errors.ts";
import { toolInput } from "./canonical.ts";
import { checkShape, checkSize, MESSAGE_BYTES_MAX } from "./limits.ts";
import { parseBytes } from "./parse.ts";
import { DECISION, readAs } from "./schemas.ts";

/**
 * @param approvalId of a question that is known.
 * @param by who decides, as the door knows it.
 * @throws RefusedError with the path of what is wrong with the body.
 */
export function readDecision(approvalId: string, body: Uint8Array, by: string): Decision {
  checkSize(body.length, MESSAGE_BYTES_MAX);
  const value = parseBytes(body);
  checkShape(value, { at: "", isText: (key) => key === "updatedInput" });
  const { decision, inputHash, message, interrupt, updatedInput } = readAs(DECISION, value, "");
  if (decision === "approve" && inputHash === undefined) throw noHash();
  return {
    type: "decision",
    // It is the key of a row that was found.
    approvalId: approvalId as ApprovalId,
    decision,
    by,
    ...(inputHash !== undefined && { inputHash }),
    ...(message !== undefined && { message }),
    ...(interrupt !== undefined && { interrupt }),
    ...(updatedInput !== undefined && { updatedInput: toolInput(updatedInput) }),
  };
}

const noHash = (): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    "inputHash is missing: to approve, say which input was seen.",
    "Read the approval, show its input, and send its inputHash; one without an input can only be denied here.",
    "inputHash",
  );
