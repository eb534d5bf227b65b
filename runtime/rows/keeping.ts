// Keeping
// Counts how much the engine stores for a workspace, and decides whether the workspace's quota is reached.
//
//   Owns:          each workspace's account: the bytes that are stored, the bytes of blobs that came in each month; the
//                  correction of an account by a measurement.
//   Does not own:  measuring the store (measuring), refusing messages (turning-away, allowance).
//
// KEEPING-1. A message counts by its length as soon as it comes. At the end of a sweep the engine measures what is really
//     stored, and corrects the count. Each measurement is a journal entry, so a replay of the journal refuses the same messages
//     as the engine did.
// KEEPING-2. As long as a blob is stored, it counts for the month in which it came. A blob that came twice counts twice.

import { keys } from "./keys.ts";
import type { Measured } from "../message.ts";
import { meta } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import type { Bucket, Quota } from "../quota.ts";

export interface Kept {
  readonly bytes: number;
  /** How many bytes of blobs came in each month, by month, such as 2026-01. */
  readonly blobs?: Readonly<Record<string, number>>;
}

export interface Account extends Bucket {
  readonly kept?: Kept;
}

const totalOf = ({ bytes, blobs = {} }: Kept): number =>
  Object.values(blobs).reduce((total, each) => total + each, bytes);

/** The key of the account for messages that name no workspace. No id has this form. */
export const NOBODY = ".";

export const isFull = ({ kept: limit }: Quota, account: Account | undefined): boolean =>
  limit !== "off" && account?.kept !== undefined && totalOf(account.kept) >= limit;

/** @returns the account after a message that just came was added. */
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

/**
 * Corrects accounts by a measurement, and removes the past approvals that are too many (PAST-APPROVALS-3). What came after the
 * measurement remains counted.
 */
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
