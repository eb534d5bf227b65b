// Pace
// Limits how fast transcripts are read, per workspace.
//
//   Owns:          the limit on bytes and lines a second.
//   Does not own:  a workspace's quota (runtime/quota), which the door checks for every message.
//
// TRANSCRIPTS-PACE-1. Transcripts use at most half of their workspace's quota, so that the other half is left for its hooks.

import { type Bucket, leftAt, type Load, type Quota, waitMs, without } from "../../runtime/quota.ts";
import type { Clock } from "../../runtime/ports.ts";

/** Transcripts also get at most half of this rate, which is far above what a session writes. */
const MAX: Load = { messages: 1_000, bytes: 4 * 1024 * 1024 };
export class Pace {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #quota: () => Quota;
  readonly #buckets = new Map<string, Bucket>();

  /** @param quota the present quota of every workspace. */
  constructor(clock: Pick<Clock, "monotonic">, quota: () => Quota) {
    this.#clock = clock;
    this.#quota = quota;
  }

  /** Counts what was read of a workspace. @returns how long to wait before as much again is read, ms. */
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

  /** A full bucket needs no entry (QUOTA-3). */
  #forgetFull(at: number, quota: Quota): void {
    if (this.#buckets.size <= BUCKETS_MAX) return;
    for (const [workspace, bucket] of this.#buckets)
      if (waitMs(quota, leftAt(quota, bucket, at), MAX) === 0) this.#buckets.delete(workspace);
  }
}

const BUCKETS_MAX = 1_000;
