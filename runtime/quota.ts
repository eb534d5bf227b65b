// Quota
// How much a workspace may send, and how much of this allowance is left, computed as a bucket that fills up with time.
//
//   Owns:          the settings of a quota, their defaults, the arithmetic of a bucket.
//   Does not own:  refusing messages (turning-away, allowance), how quotas are given (adapters).
//   Decided in:    docs/decisions/0038-quotas-by-the-journals-clock.md.
//
// QUOTA-1. A bucket is an allowance that is refilled at a constant rate. Between any two moments a workspace can send at most one
//     full bucket, plus what was refilled between these moments.
// QUOTA-2. A full bucket has room for the longest message and the longest list of messages. So a quota slows senders down, but
//     excludes no message.
// QUOTA-3. A bucket that was not used for long is full. So if a workspace has no stored bucket, its bucket counts as full.

import { EVENTS_MAX, RAW_BYTES_MAX } from "./limits.ts";

/** The limits of a workspace; `off` for no limit. */
export interface Quota {
  /** Messages a second, on average. */
  readonly messages: number | "off";
  /** Bytes a second, on average, as the journal counts them. */
  readonly bytes: number | "off";
  /** How many bytes the engine may keep for the workspace (keeping). */
  readonly kept: number | "off";
}

/**
 * The default limits of a workspace. A busy session sends about five messages a second, about 50 kB, so hundreds of sessions may
 * be in one workspace. An engine on two cores takes four times as much, so other workspaces find room. The data that hundreds of
 * busy sessions keep stays below `kept`. A smaller disk has a limit of its own (limits).
 */
export const DEFAULT_QUOTA: Quota = { messages: 2_000, bytes: 8 * 1024 ** 2, kept: 64 * 1024 ** 3 };

export const NO_QUOTA: Quota = { messages: "off", bytes: "off", kept: "off" };

/** How much of its quota a workspace may still send, as of the moment `at`, ms. A field without a limit is absent. */
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

/** How many messages the quota refused in one second of journal time, by workspace, until a dead letter reports them. */
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

/** What a bucket contains at a later time, ms. @param bucket undefined for a full bucket. */
export function leftAt(quota: Quota, bucket: Bucket | undefined, at: number): Load {
  const full = capacityOf(quota);
  const seconds = Math.max(0, at - (bucket?.at ?? at)) / 1000;
  const left = (of: keyof Load): number => {
    const [before, rate] = [bucket?.[of], quota[of]];
    return before === undefined || rate === "off" ? full[of] : Math.min(full[of], before + rate * seconds);
  };
  return { messages: left("messages"), bytes: left("bytes") };
}

/**
 * How many bytes of a load count against a quota. A load larger than a full bucket counts as a full bucket, because doors, not
 * quotas, decide which message is too long.
 */
const countedBytes = (quota: Quota, { bytes }: Load): number => Math.min(bytes, capacityOf(quota).bytes);

export function holds(quota: Quota, left: Load, load: Load): boolean {
  return left.messages >= load.messages && left.bytes >= countedBytes(quota, load);
}

/** The bucket after an accepted load was taken from it; empty if it contained less than the load. */
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
