// Seen input
// Checks that an input to be approved can be seen: it exists, and matches its hash.
//
//   Owns:          making this check before an approving decision is journalled, also for inputs in blobs.
//   Does not own:  the hash that was shown (machines/approval), finding the approval (door).
//
// SEEN-INPUT-1. The machine refuses a damaged input as well. But the machine cannot read blobs, and the row that it gets may
//     have been read into memory before the damage.

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

/** @param where the parts of the approval's address. @throws RefusedError INPUT_MISSING: an approved input is gone or damaged. */
export async function checkSeen(
  reader: Reader,
  blobs: Blobs | undefined,
  { workspace, session, id }: AddressParts,
  { decision, approvalId }: Decision,
): Promise<void> {
  if (decision !== "approve") return;
  const view = viewAt(reader, childAddress(sessionAddress(workspace, session), "approval", id));
  // A decision about a closed approval is recorded as late, in whatever state its input is.
  if (view?.state !== "pending") return;
  const { inputMissing } = await withInputs(blobs, view);
  if (inputMissing !== undefined) throw unseen(approvalId, inputMissing);
}

/** The approval's view; also undefined if its row cannot be read, which the turn reports. */
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
  lost: "is gone from the blobs",
  damaged: "is damaged in the store: it is not what its hash names",
};

const unseen = (id: string, missing: InputMissing): RefusedError =>
  new RefusedError(
    "INPUT_MISSING",
    `The input of ${id} ${WORDS[missing]}. Nobody can see it, so it cannot be approved.`,
    "Deny it, answer where it was requested, or have it requested again.",
  );
