// Seen input
// Checks that the input that a person approves could be shown to them: the input exists, and matches its hash.
//
//   Owns:          checking the input before an approving decision is journalled, also if the input is in a blob.
//   Does not own:  comparing the decision's hash (machines/approval), finding the approval (door).
//
// SEEN-INPUT-1. The approval's machine refuses a damaged input, too. The door checks it as well, because the machine cannot read
//     blobs, and may have read its row into memory before the row was damaged.

import {
  type Address,
  type AddressParts,
  childAddress,
  type Decision,
  sessionAddress,
} from "../../../machines/index.ts";
import { InvariantViolation, RefusedError } from "../../errors/errors.ts";
import type { Blobs } from "../../ports.ts";
import type { Reader } from "../../reading/reader.ts";
import type { ApprovalView, InputMissing } from "../../rows/views.ts";
import { withInputs } from "../../reading/whole-inputs.ts";

/**
 * @param where the parts of the approval's address.
 * @throws RefusedError INPUT_MISSING if the input to be approved is missing or damaged.
 */
export async function checkSeen(
  reader: Reader,
  blobs: Blobs | undefined,
  { workspace, session, id }: AddressParts,
  { decision, approvalId }: Decision,
): Promise<void> {
  if (decision !== "approve") return;
  const view = viewAt(reader, childAddress(sessionAddress(workspace, session), "approval", id));
  // A decision about a closed approval is recorded as late, even if the approval's input is missing.
  if (view?.state !== "pending") return;
  const { inputMissing } = await withInputs(blobs, view);
  if (inputMissing !== undefined) throw unseen(approvalId, inputMissing);
}

/** The approval's view; undefined if there is no such approval, or if its row cannot be read, which the turn then reports. */
function viewAt(reader: Reader, address: Address): ApprovalView | undefined {
  try {
    const found = reader.actor(address);
    return found && reader.approval(found, true);
  } catch (error) {
    if (error instanceof InvariantViolation) return undefined;
    throw error;
  }
}

const WORDS: Readonly<Record<InputMissing, string>> = {
  lost: "is gone: the engine no longer has it",
  damaged: "is damaged in the store: it does not match its hash",
};

const unseen = (id: string, missing: InputMissing): RefusedError =>
  new RefusedError(
    "INPUT_MISSING",
    `The input of ${id} ${WORDS[missing]}. Nobody can see it, so it cannot be approved.`,
    "Deny the approval, answer it where it was requested, or have it requested again.",
  );
