// Id reused
// The error for an approval id that was used before for another call.
//
//   Owns:          the message of the error, which also says what to do next.
//   Does not own:  finding the difference (machines/matching/asked-about, reading/asker), sending the error over a protocol
//                  (failure).

import { differenceText, type Fact } from "../../machines/index.ts";
import { RefusedError } from "./errors.ts";

export const ID_REUSED = "ID_REUSED";

export const NEXT_FOR_REUSED =
  "Use a new id for another call. With this id, repeat exactly the earlier request.";

export class IdReusedError extends RefusedError {
  readonly differs: readonly Fact[];

  constructor(id: string, differs: readonly Fact[]) {
    super(
      ID_REUSED,
      `The request was refused: ${differenceText(id, differs)}.`,
      NEXT_FOR_REUSED,
      "approvalId",
    );
    this.differs = differs;
  }
}
