// Dismissal
// Takes a person's request to dismiss dead letters, or to take a dismissal back.
//
//   Owns:          the body of a request to dismiss dead letters, the steps from this request to its result.
//   Does not own:  protocols (adapters), the effect of a dismissal (turn/dismissing).
//   Decided in:    docs/decisions/0049-dismissed-for-everybody.md.
//
// DISMISSAL-1. The door itself knows the name of the person who dismisses, and never takes this name from the body of the
//     message.

import { z } from "zod";
import { RefusedError } from "../errors/errors.ts";
import { ENGINE, type OwnMessage } from "../message.ts";
import type { Caller, Door } from "./door.ts";
import { readBody } from "./schemas.ts";

const LETTERS_MAX = 1_000;
export const DISMISSAL = z.strictObject({
  letters: z.array(z.int().min(1)).min(1).max(LETTERS_MAX),
  /** If true, takes an earlier dismissal of these dead letters back. */
  back: z.boolean().exactOptional(),
});

/**
 * Dismisses dead letters, or takes their dismissal back.
 * @returns the journal position of the dismissal, once its result is durable.
 * @throws RefusedError UNKNOWN_LETTER, or the fault in the body (with a dead letter); RetryableError if not ready.
 */
export async function dismissLetters(
  door: Door,
  sent: Uint8Array,
  caller: Caller,
): Promise<{ readonly position: number }> {
  const read = () => readBody(DISMISSAL, sent);
  const { letters, back } = await door.refusals.refusing({ ...caller, body: sent }, read);
  door.checkLetters(letters, caller);
  const said = {
    type: "dismissed",
    letters,
    by: caller.by,
    ...(back === true && { isBack: true as const }),
  } as const;
  const message: OwnMessage = { door: "own", ...ENGINE, said };
  const {
    position,
    outcome,
    code,
    reason = "it was not applied",
    path,
  } = await door.own(message, sent, caller);
  if (outcome === "applied" || outcome === "duplicate") return { position };
  throw new RefusedError(
    code ?? "REJECTED",
    `${named(letters)} ${back === true ? "could not be reopened" : "could not be dismissed"}: ${reason}.`,
    "GET /v1/dead-letters lists the dead letters.",
    path,
  );
}

const NAMED_MAX = 5;

function named(letters: readonly number[]): string {
  const others = letters.length > NAMED_MAX ? ` and ${letters.length - NAMED_MAX} others` : "";
  return `${letters.length === 1 ? "Letter" : "Letters"} ${letters.slice(0, NAMED_MAX).join(", ")}${others}`;
}
