// Channels
// The channels by which approvals are requested, as far as they matter for an answer.
//
//   Owns:          which channels this engine's answer cannot reach.
//   Does not own:  requesting an approval (machines/routing), waiting for its answer (gate).
//
// CHANNELS-1. If no channel of an approval waits for this engine's answer, panel and command line offer nobody to answer it.

/** A hook gets its response at once, so a client that requested by a hook still asks in its own dialog. */
const WATCHED_CHANNEL = "hook";

/** True if an answer given here is recorded, but reaches nobody. */
export const isWatched = ({ channels }: { readonly channels: readonly string[] }): boolean =>
  channels.every((channel) => channel === WATCHED_CHANNEL);

/** True if no answer given here reaches the agent now: its engine is away, or nobody waits for one. */
export const isOutOfReach = (
  approval: Parameters<typeof isWatched>[0] & { readonly lastSeenAt?: number | undefined },
): boolean => approval.lastSeenAt !== undefined || isWatched(approval);
