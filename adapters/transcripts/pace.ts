// Pace
// Limits how fast the transcripts of each workspace are read.
//
//   Owns:          the limit on bytes and lines per second.
//   Does not own:  a workspace's quota (runtime/quota), which the door checks for every message.
//
// TRANSCRIPTS-PACE-1. Transcripts use at most half of their workspace's quota, so that hooks can use the other half. Above the
//     limit `MAX`, a quota counts as `MAX`, and so does a missing quota.

import { type Bucket, leftAt, type Load, type Quota, waitMs, without } from "../../runtime/quota.ts";
import type { Clock } from "../../runtime/ports.ts";

/**
 * The transcripts of a workspace are read at half of this rate at most; if the workspace's quota is lower, at half of the quota.
 * The rate is far above what a session writes.
 */
const MAX: Load = { messages: 1_000, bytes: 4 * 1024 * 1024 };
export class Pace {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #quota: () => Quota;
  readonly #buckets = new Map<string, Bucket>();

  /** @param quota returns the present quota, which is the same for every workspace. */
  constructor(clock: Pick<Clock, "monotonic">, quota: () => Quota) {
    this.#clock = clock;
    this.#quota = quota;
  }

  /** Counts what was read for a workspace. @returns how long to wait before as much is read again, ms. */
  spend(workspace: string, { messages, bytes }: Load): number {
    const at = this.#clock.monotonic();
    const quota = this.#bound();
    const load = { messages: 2 * messages, bytes: 2 * bytes };
    const bucket = without(quota, leftAt(quota, this.#buckets.get(workspace), at), load, at);
    this.#buckets.set(workspace, bucket);
    this.#forgetFull(at, quota);
    return waitMs(quota, leftAt(quota, bucket, at), load);
  }

  #bound(): Quota {
    const { messages, bytes } = this.#quota();
    const bound = (max: number, of: number | "off"): number => (of === "off" ? max : Math.min(max, of));
    return { messages: bound(MAX.messages, messages), bytes: bound(MAX.bytes, bytes), kept: "off" };
  }

  /** Forgets full buckets, because a workspace without an entry counts as having a full one (QUOTA-3). */
  #forgetFull(at: number, quota: Quota): void {
    if (this.#buckets.size <= BUCKETS_MAX) return;
    for (const [workspace, bucket] of this.#buckets)
      if (waitMs(quota, leftAt(quota, bucket, at), MAX) === 0) this.#buckets.delete(workspace);
  }
}

const BUCKETS_MAX = 1_000;
