// Channels
// Decides by the channels through which an approval was requested whether an answer to the approval can reach anybody.
//
//   Owns:          which channels this engine's answer cannot reach.
//   Does not own:  requesting an approval (machines/routing), waiting for the answer to an approval (gate).
//
// CHANNELS-1. Hooks that only report do not wait for an answer. If all channels of an approval are of this kind, panel and
//     command line let nobody answer the approval.

/** The channel of hooks that only report: they do not wait for an answer, so the client still asks in its own dialog. */
const WATCHED_CHANNEL = "hook";

/** True if every request for the approval came from hooks that only report, so that nobody waits for this engine's answer. */
export const isWatched = ({ channels }: { readonly channels: readonly string[] }): boolean =>
  channels.every((channel) => channel === WATCHED_CHANNEL);

/**
 * True if an answer to the approval cannot reach the agent now: the approval belongs to another engine, which is away, or
 * nobody waits for the answer.
 */
export const isOutOfReach = (
  approval: Parameters<typeof isWatched>[0] & { readonly lastSeenAt?: number | undefined },
): boolean => approval.lastSeenAt !== undefined || isWatched(approval);
