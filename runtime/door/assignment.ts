// Assignment
// Takes a person's request to assign an approval to somebody, or to take an assignment back.
//
//   Owns:          the body of a request for an assignment, the steps from this request to its result.
//   Does not own:  protocols (adapters), what an assignment changes (machines/approval).
//   Decided in:    docs/decisions/0100-an-assignment-lasts.md.
//
// DOOR-ASSIGNMENT-1. A name has 1 to 128 characters. If a name begins with the door through which its holder came (`local:`,
//     `http:` or `nats:`), this part is removed before the name is stored. `null` instead of a name takes the assignment back.
// DOOR-ASSIGNMENT-2. The door itself knows the name of the person who assigns, and never takes this name from the body of the
//     message.

import { z } from "zod";
import { type ApprovalId, defined, nameWithoutDoor } from "../../machines/index.ts";
import type { Within } from "../reading/lookup.ts";
import type { Reply } from "../turn/turn-result.ts";
import type { Caller, Door } from "./door.ts";
import { readBody } from "./schemas.ts";

const NAME_MAX = 128;

export const ASSIGNMENT = z.strictObject({ to: z.string().trim().min(1).max(NAME_MAX).nullable() });

/**
 * Takes an assignment. @returns its result, once that is durable.
 * @throws RefusedError UNKNOWN_APPROVAL, AMBIGUOUS, or the fault in the body (with a dead letter); RetryableError if not ready.
 */
export async function assign(
  door: Door,
  approvalId: string,
  sent: Uint8Array,
  caller: Caller,
  within: Within,
): Promise<Reply> {
  const { workspace, session } = door.whereIs(approvalId, within);
  const read = () => readBody(ASSIGNMENT, sent);
  const { to } = await door.refusals.refusing({ ...caller, body: sent }, read);
  const said = {
    type: "assigned",
    // The cast is safe: the door has found an approval with this id.
    approvalId: approvalId as ApprovalId,
    by: caller.by,
    ...defined({ to: to === null ? undefined : nameWithoutDoor(to) }),
  } as const;
  return door.own({ door: "own", workspace, session, said }, sent, caller);
}
