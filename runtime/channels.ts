// Channels
// The ways by which approvals are requested, as far as it matters to whoever answers one.
//
//   Owns:          which of them an answer given to this engine cannot reach.
//   Does not own:  requesting (machines/routing), waiting for the answer (gate).
//
// CHANNELS-1. Where no channel of an approval waits for an answer of this engine's, none is offered as if it did.

/** A hook is answered at once: a client that requested by a hook still asks in its own dialog. */
const WATCHED_CHANNEL = "hook";

/** True where an answer given here is recorded, but reaches nobody. */
export const isWatched = ({ channels }: { readonly channels: readonly string[] }): boolean =>
  channels.every((channel) => channel === WATCHED_CHANNEL);
