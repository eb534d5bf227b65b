// Quota
// How much a workspace may send, and how much of that is left: a bucket that fills up with time.
//
//   Owns:          the settings, their defaults, the arithmetic of a bucket.
//   Does not own:  who is refused (turning-away, allowance), how quotas are given (adapters).
//   Decided in:    docs/decisions/0038-quotas-by-the-journals-clock.md.
//
// QUOTA-1. Between any two moments a bucket lets through at most what it holds when full and what flows in meanwhile.
// QUOTA-2. A full bucket has room for the longest message and the longest list: a quota slows senders down, and shuts
//     nobody out for good.
// QUOTA-3. A bucket that was not used for long is full: no bucket and a full one are the same.

import { EVENTS_MAX, RAW_BYTES_MAX } from "./limits.ts";

/** What a workspace may send; `off` for no limit. */
export interface Quota {
  /** Messages a second, on average. */
  readonly messages: number | "off";
  /** Bytes a second, on average, as the journal counts them. */
  readonly bytes: number | "off";
  /** Bytes of it that the engine may keep (keeping). */
  readonly kept: number | "off";
}

/**
 * A busy session sends about five messages a second, about 50 kB: this allows hundreds of them in one workspace. It is
 * a quarter of what an engine on two cores takes, so other workspaces find room. Hundreds of busy sessions in their
 * days keep less than the third limit; a smaller disk has its own guard.
 */
export const DEFAULT_QUOTA: Quota = { messages: 2_000, bytes: 8 * 1024 ** 2, kept: 64 * 1024 ** 3 };

/** No limits. */
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

/** How many seconds of inflow a full bucket holds. */
const BURST_S = 10;
/** An envelope around the longest payload. */
const LONGEST_BYTES = RAW_BYTES_MAX + 64 * 1024;

/** How much was refused, and of which workspace. */
export interface TurnedAway extends Load {
  readonly workspace: string;
}

/** Refused in one second of the journal. */
export interface Untold {
  readonly second: number;
  readonly of: readonly TurnedAway[];
}

/** What a full bucket holds. */
export function capacityOf({ messages, bytes }: Quota): Load {
  return {
    messages: messages === "off" ? Infinity : Math.max(messages * BURST_S, EVENTS_MAX),
    bytes: bytes === "off" ? Infinity : Math.max(bytes * BURST_S, LONGEST_BYTES),
  };
}

export const isUnlimited = ({ messages, bytes, kept }: Quota): boolean =>
  messages === "off" && bytes === "off" && kept === "off";

/** @param bucket undefined for a full one. @returns what is left in it at a later time, ms. */
export function leftAt(quota: Quota, bucket: Bucket | undefined, at: number): Load {
  const full = capacityOf(quota);
  const seconds = Math.max(0, at - (bucket?.at ?? at)) / 1000;
  const left = (of: keyof Load): number => {
    const [before, rate] = [bucket?.[of], quota[of]];
    return before === undefined || rate === "off" ? full[of] : Math.min(full[of], before + rate * seconds);
  };
  return { messages: left("messages"), bytes: left("bytes") };
}

/** Anything longer than a full bucket counts as a full bucket: a door refuses it for its length. */
const countedBytes = (quota: Quota, { bytes }: Load): number => Math.min(bytes, capacityOf(quota).bytes);

/** True if the rest of the quota is enough. */
export function holds(quota: Quota, left: Load, load: Load): boolean {
  return left.messages >= load.messages && left.bytes >= countedBytes(quota, load);
}

/** The bucket afterwards; empty if it held less and the load is let through all the same. */
export function without(quota: Quota, left: Load, load: Load, at: number): Bucket {
  const { messages, bytes } = left;
  return {
    at,
    ...(quota.messages !== "off" && { messages: Math.max(0, messages - load.messages) }),
    ...(quota.bytes !== "off" && { bytes: Math.max(0, bytes - countedBytes(quota, load)) }),
  };
}

/** How long until enough is left, ms. */
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

/** In words, for a refused sender. */
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
