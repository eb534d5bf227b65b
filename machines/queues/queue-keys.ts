// Queue keys
// What a call is looked up by without an id: its agent, its tool, its input.
//
//   Owns:          the keys, and the shape of what is found by them.
//   Does not own:  the queues under the keys (correlation, nameless-calls).

import type { Match } from "../facts/call-facts.ts";
import { type AgentId, type CallId, isId } from "../ids.ts";

/** Makes a short id from parts: prefix + base32 of a SHA-256, given by the runtime so that this layer stays pure. */
export type Digest = (prefix: string, parts: readonly string[]) => string;

export interface Found {
  readonly id: CallId;
  readonly match: Match;
}

/** Of a SHA-256 in hex: 128 bits distinguish inputs, and halve the length of the longest keys. */
const HASH_KEPT = 32;

/** The keys of all calls of one tool, and of one input of it. */
export function queueKeys(
  digest: Digest,
  agentId: AgentId,
  tool: string,
  hash: string | undefined,
): readonly string[] {
  const name = `${agentId}/${isId(tool) ? tool : digest("t_", [tool])}`;
  return hash === undefined ? [name] : [`${name}/${hash.slice(0, HASH_KEPT)}`, name];
}
