// After denial
// Finds what an agent did next after one of its calls was denied. Only denials that are still kept whole count: about a day of
// them.
//
//   Owns:          finding the next call, which kind it is.
//   Does not own:  how approvals were answered (answers), how long calls are kept (machines/routing/retention).
//
// AFTER-DENIAL-1. The next call is the first of the same agent, under the same request, that came up after the denial.
// AFTER-DENIAL-2. It looks at 10,000 denials at most, the newest first. (by review: a test of so many takes too long)

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
  /** How many denials were looked at: the others are their parts. */
  readonly denials: number;
  /** The same tool, with the same input. */
  readonly same: number;
  /** The same tool, with another input. */
  readonly changed: number;
  /** Another tool. */
  readonly other: number;
  /** No call, up to now. */
  readonly none: number;
}

type Next = Exclude<keyof AfterDenials, "denials">;

const LOOKED_AT_MAX = 10_000;

/** @returns what followed each denial of approvals that were asked for after `since`. */
export async function afterDenials(reader: Reader, { workspace, since }: AskedScope): Promise<AfterDenials> {
  const found: Record<keyof AfterDenials, number> = { denials: 0, same: 0, changed: 0, other: 0, none: 0 };
  const list = keys.list(
    listBy("approval", { state: "denied", ...(workspace !== undefined && { workspace }) }),
  );
  for await (const [, text] of backwards(reader, list, after(list))) {
    if (found.denials >= LOOKED_AT_MAX) break;
    // List rows hold addresses that the engine made: this one is an approval's.
    const denied = reader.actor(JSON.parse(text) as Address);
    const approval = denied?.context as ApprovalContext | undefined;
    if (!denied || !approval) continue;
    if (approval.askedAt < since) break;
    const home = sessionAddress(denied.where.workspace, denied.where.session);
    found.denials += 1;
    found[nextOf(reader, home, approval)] += 1;
  }
  return found;
}

/** AFTER-DENIAL-1 */
function nextOf(
  reader: Reader,
  home: Address,
  { requestId, agentId, tool, input, closedAt = 0 }: ApprovalContext,
): Next {
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
