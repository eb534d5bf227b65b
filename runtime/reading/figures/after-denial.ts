// After denial
// Counts what agents did next after one of their calls was denied. It counts only denials whose approval is still stored: about
// those of the last day.
//
//   Owns:          finding the agent's next call after a denied call, and comparing the two calls.
//   Does not own:  how approvals were answered (answers), how long calls are stored (machines/routing/retention).
//
// AFTER-DENIAL-1. The next call after a denied call is the first call of the same agent, in the same request, that came after the
//     denial.
// AFTER-DENIAL-2. At most the 10,000 newest denials are read. (checked by review: a test of so many takes too long)

import {
  type Address,
  type ApprovalContext,
  type CallContext,
  sessionAddress,
} from "../../../machines/index.ts";
import { after, keys } from "../../rows/keys.ts";
import { listBy } from "../../rows/listing.ts";
import { type AskedScope, backwards } from "../asked-before.ts";
import type { Reader } from "../reader.ts";

export interface AfterDenials {
  /** How many denials were read: the sum of the other four counts. */
  readonly denials: number;
  /** After how many denials the next call had the same tool and the same input. */
  readonly same: number;
  /** After how many denials the next call had the same tool and another input. */
  readonly changed: number;
  /** After how many denials the next call had another tool. */
  readonly other: number;
  /** After how many denials no call has followed so far. */
  readonly none: number;
}

export const FOLLOWED = ["denials", "same", "changed", "other", "none"] as const;

const LOOKED_AT_MAX = 10_000;

/** Counts what followed the denied approvals that were requested between `since` and `until`. */
export async function afterDenials(
  reader: Reader,
  { workspace, since, until = Infinity }: AskedScope,
): Promise<AfterDenials> {
  const found: Record<keyof AfterDenials, number> = { denials: 0, same: 0, changed: 0, other: 0, none: 0 };
  const list = keys.list(
    listBy("approval", { state: "denied", ...(workspace !== undefined && { workspace }) }),
  );
  for await (const [, text] of backwards(reader, list, after(list))) {
    if (found.denials >= LOOKED_AT_MAX) break;
    // The cast is safe: the engine wrote the rows of this list, which are addresses of approvals.
    const denied = reader.actor(JSON.parse(text) as Address);
    const approval = denied?.context as ApprovalContext | undefined;
    if (!denied || !approval) continue;
    if (approval.askedAt < since) break;
    if (approval.askedAt >= until) continue;
    const home = sessionAddress(denied.where.workspace, denied.where.session);
    found.denials += 1;
    found[nextOf(reader, home, approval)] += 1;
  }
  return found;
}

/** AFTER-DENIAL-1: how the next call after a denial compares with the denied call. */
function nextOf(
  reader: Reader,
  home: Address,
  { requestId, agentId, tool, input, closedAt = 0 }: ApprovalContext,
): Exclude<keyof AfterDenials, "denials"> {
  const gte = keys.callListed(home, requestId, closedAt + 1, "");
  const lt = after(keys.callsOfRequest(home, requestId));
  for (const [, address] of reader.store.range({ gte, lt })) {
    const call = reader.actor(JSON.parse(address) as Address)?.context as CallContext | undefined;
    if (call?.agentId !== agentId) continue;
    if (call.tool !== tool) return "other";
    return call.input?.hash === input?.hash ? "same" : "changed";
  }
  return "none";
}
