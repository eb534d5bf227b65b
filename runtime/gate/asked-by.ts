// Asked by
// What a message asks about.
//
//   Owns:          finding the question among what a message means.
//   Does not own:  the facts of it (machines/asked-about), comparing them (reading/asker).

import { askedAbout, type AskedAbout } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import type { SourceMessage, Translate } from "../message.ts";

/** @returns undefined for a message that asks for no approval, or is not understood. */
export function askedBy(message: SourceMessage, translate: Translate): AskedAbout | undefined {
  try {
    for (const input of translate(message))
      if (input.type === "approval.requested") return askedAbout(message.session, input);
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}
