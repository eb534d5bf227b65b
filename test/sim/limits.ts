// Limits
// How much of each thing is used that can run out, and which runs out first.
//
//   Owns:          the list of such things.
//   Does not own:  what was seen (load), how it is shown (table).

import type { Given } from "./figures.ts";
import type { Seen } from "./load.ts";
import { partsOf, type Shape } from "./shape.ts";

export interface Limit {
  readonly what: string;
  /** Of what there is; more than 1 does not work. */
  readonly used: number;
}

/** @returns the most used first. */
export function limitsOf(shape: Shape, given: Given, seen: Seen): readonly Limit[] {
  const parts = partsOf(shape);
  // Each message comes through the door; it and its changes are kept on three servers.
  const messages = given.calls * (2 + 2 * given.asked);
  const us = messages * ((1 + given.changes) * given.threeCopies + given.door);
  return [
    { what: "the busiest owner's main thread", used: Math.max(...seen.owners) },
    { what: "the inbox engine's main thread", used: seen.inbox },
    { what: "peers that one inbox may list", used: (parts > 1 ? parts : 0) / given.peers },
    { what: "replicated streams on each of three NATS servers", used: (parts * given.assets) / given.groups },
    { what: "processors of three NATS servers", used: us / 1e6 / (3 * given.cores) },
  ].toSorted((one, other) => other.used - one.used);
}
