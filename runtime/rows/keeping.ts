// Keeping
// How much the engine keeps of a workspace, and whether that has reached its quota.
//
//   Owns:          the account: what was added since the last measurement, blobs by month, correcting it.
//   Does not own:  measuring (measuring), who is refused (turning-away, allowance).
//
// KEEPING-1. A message counts at once by its length; its effects, and removals, count when they are measured, at the
//     end of each sweep. A measurement is a journalled input, so that a replay refuses the same messages.
// KEEPING-2. Blobs count by the month they came in, as long as they are kept; one that came twice counts twice.

import { keys } from "./keys.ts";
import type { Measured } from "../message.ts";
import { meta } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import type { Bucket, Quota } from "../quota.ts";

export interface Kept {
  /** How many bytes the rows have. */
  readonly bytes: number;
  /** By month, as 2026-01. */
  readonly blobs?: Readonly<Record<string, number>>;
}

/** The row of a workspace. */
export interface Account extends Bucket {
  readonly kept?: Kept;
}

const totalOf = ({ bytes, blobs = {} }: Kept): number =>
  Object.values(blobs).reduce((total, each) => total + each, bytes);

/** The account of messages that name no workspace: no id has this form. */
export const NOBODY = ".";

/** True if the workspace has reached what may be kept of it. */
export const isFull = ({ kept: limit }: Quota, account: Account | undefined): boolean =>
  limit !== "off" && account?.kept !== undefined && totalOf(account.kept) >= limit;

/** @returns the account with what has just come in. */
export function withMore(
  { kept: limit }: Quota,
  kept: Kept = { bytes: 0 },
  more: { readonly at: number; readonly bytes: number; readonly blobs: number },
): Kept | undefined {
  if (limit === "off") return undefined;
  const bytes = kept.bytes + more.bytes;
  const blobs =
    more.blobs === 0
      ? kept.blobs
      : { ...kept.blobs, [monthOf(more.at)]: (kept.blobs?.[monthOf(more.at)] ?? 0) + more.blobs };
  return { bytes, ...(blobs && { blobs }) };
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Corrects accounts by a measurement, and drops past approvals that are too many; what came in meanwhile stays added. */
export function correct(layer: Layer, at: number, { of, past = [] }: Measured): void {
  for (const key of past) if (key.startsWith(keys.pastApprovals)) layer.delete(key);
  const { auditKeptMs, quota } = meta(layer).configuration;
  const oldest = monthOf(at - auditKeptMs);
  for (const { workspace, before, found } of of) {
    const key = keys.quota(workspace);
    const { kept, ...bucket } = (layer.get(key) as Account | undefined) ?? { at };
    const bytes = Math.max(0, (kept?.bytes ?? 0) + found - before);
    const young = Object.entries(kept?.blobs ?? {}).filter(([month]) => month >= oldest);
    const blobs = young.length > 0 ? { blobs: Object.fromEntries(young) } : {};
    const isKept = quota.kept !== "off" && (bytes > 0 || young.length > 0);
    layer.set(key, { ...bucket, ...(isKept && { kept: { bytes, ...blobs } }) } satisfies Account);
  }
}
