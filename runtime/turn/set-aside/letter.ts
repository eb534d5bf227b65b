// Letter
// The content of a dead letter.
//
//   Owns:          the shape of a dead letter's content; making the content from an error.
//   Does not own:  writing a dead letter into the store (verdict), the number and the published form of a dead letter
//                  (dead-letters).

import { InvariantViolation, RefusedError } from "../../errors/errors.ts";
import type { Refused } from "../../message.ts";

const BODY_KEPT = 16 * 1024;

export type Letter = Pick<Refused, "code" | "reason" | "path" | "body"> & Partial<Refused>;

export function letterOf(error: unknown, body: string): Letter {
  const known = error instanceof RefusedError || error instanceof InvariantViolation;
  const path = error instanceof RefusedError ? error.path : undefined;
  return {
    code: known ? error.code : "DEFECT",
    reason: error instanceof Error ? error.message : String(error),
    ...(path !== undefined && { path }),
    body: body.slice(0, BODY_KEPT),
  };
}
