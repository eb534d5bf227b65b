// Quota
// How much a workspace may send, and how much of that is left, as a bucket that fills up with time.
//
//   Owns:          the settings, their defaults, the arithmetic of a bucket.
//   Does not own:  refusing messages (turning-away, allowance), how quotas are given (adapters).
//   Decided in:    docs/decisions/0038-quotas-by-the-journals-clock.md.
//
// QUOTA-1. A bucket is an allowance that is refilled at a constant rate. Between any two moments it lets through at most one
//     full bucket, and what was refilled meanwhile.
// QUOTA-2. A full bucket has room for the longest message and the longest list. So a quota only slows senders down, and
//     excludes no message for good.
// QUOTA-3. A bucket that was not used for long is full, so a missing bucket counts as full.

import { EVENTS_MAX, RAW_BYTES_MAX } from "./limits.ts";

/** The limits of a workspace; `off` for no limit. */
export interface Quota {
  /** Messages a second, on average. */
  readonly messages: number | "off";
  /** Bytes a second, on average, as the journal counts them. */
  readonly bytes: number | "off";
  /** How many bytes the engine may keep (keeping). */
  readonly kept: number | "off";
}

/**
 * A busy session sends about five messages a second, about 50 kB, so this allows hundreds of sessions in one workspace. It is
 * a quarter of what an engine on two cores takes, so other workspaces find room. The data that hundreds of busy sessions keep
 * stays below the third limit. A smaller disk has a limit of its own (limits).
 */
export const DEFAULT_QUOTA: Quota = { messages: 2_000, bytes: 8 * 1024 ** 2, kept: 64 * 1024 ** 3 };

export const NO_QUOTA: Quota = { messages: "off", bytes: "off", kept: "off" };

/** What is left at a time, ms; fields without a limit are left out. */
export interface Bucket {
  readonly at: number;
  readonly messages?: number;
  readonly bytes?: number;
}

/** A number of messages, and their bytes in all. */
export interface Load {
  readonly messages: number;
  readonly bytes: number;
}

const BURST_S = 10;
const LONGEST_BYTES = RAW_BYTES_MAX + 64 * 1024;

export interface TurnedAway extends Load {
  readonly workspace: string;
}

/** What was refused in one second of the journal. */
export interface Untold {
  readonly second: number;
  readonly of: readonly TurnedAway[];
}

export function capacityOf({ messages, bytes }: Quota): Load {
  return {
    messages: messages === "off" ? Infinity : Math.max(messages * BURST_S, EVENTS_MAX),
    bytes: bytes === "off" ? Infinity : Math.max(bytes * BURST_S, LONGEST_BYTES),
  };
}

export const isUnlimited = ({ messages, bytes, kept }: Quota): boolean =>
  messages === "off" && bytes === "off" && kept === "off";

/** What is left in a bucket at a later time, ms. @param bucket undefined for a full one. */
export function leftAt(quota: Quota, bucket: Bucket | undefined, at: number): Load {
  const full = capacityOf(quota);
  const seconds = Math.max(0, at - (bucket?.at ?? at)) / 1000;
  const left = (of: keyof Load): number => {
    const [before, rate] = [bucket?.[of], quota[of]];
    return before === undefined || rate === "off" ? full[of] : Math.min(full[of], before + rate * seconds);
  };
  return { messages: left("messages"), bytes: left("bytes") };
}

/** A load larger than a full bucket counts as a full bucket, because a door refuses such a message for its length. */
const countedBytes = (quota: Quota, { bytes }: Load): number => Math.min(bytes, capacityOf(quota).bytes);

export function holds(quota: Quota, left: Load, load: Load): boolean {
  return left.messages >= load.messages && left.bytes >= countedBytes(quota, load);
}

/** The bucket after a load; empty if it had less than the load, and the load is accepted anyway. */
export function without(quota: Quota, left: Load, load: Load, at: number): Bucket {
  const { messages, bytes } = left;
  return {
    at,
    ...(quota.messages !== "off" && { messages: Math.max(0, messages - load.messages) }),
    ...(quota.bytes !== "off" && { bytes: Math.max(0, bytes - countedBytes(quota, load)) }),
  };
}

export function waitMs(quota: Quota, left: Load, load: Load): number {
  const lackMs = (lacks: number, rate: number | "off"): number =>
    rate === "off" ? 0 : (1000 * Math.max(0, lacks)) / rate;
  return Math.max(
    lackMs(load.messages - left.messages, quota.messages),
    lackMs(countedBytes(quota, load) - left.bytes, quota.bytes),
  );
}

export const sum = (one: Load, other: Load): Load => ({
  messages: one.messages + other.messages,
  bytes: one.bytes + other.bytes,
});

export function quotaText({ messages, bytes, kept }: Quota): string {
  const sent = [
    ...(messages === "off" ? [] : [`${messages} messages`]),
    ...(bytes === "off" ? [] : [`${bytes} bytes`]),
  ];
  const parts = [
    ...(sent.length === 0 ? [] : [`${sent.join(" and ")} a second`]),
    ...(kept === "off" ? [] : [`${kept} bytes kept`]),
  ];
  return parts.join(", ");
}
