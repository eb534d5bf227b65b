// Queue keys
// What a call is looked up by without an id: its agent, its tool, its input.
//
//   Owns:          the keys, and the shape of what is found by them.
//   Does not own:  the queues under the keys (correlation, nameless-calls).

import type { Match } from "../facts/call-facts.ts";
import { type AgentId, type CallId, isId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";

/** Makes a short id from parts: prefix + base32 of a SHA-256, given by the runtime so that this layer stays pure. */
export type Digest = (prefix: string, parts: readonly string[]) => string;

export interface Found {
  readonly id: CallId;
  readonly match: Match;
}

/** Of a SHA-256 in hex: 128 bits distinguish inputs, and halve the length of the longest keys. */
const HASH_KEPT = 32;

/** A call, as far as another may be like it. */
interface Kind {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly hash?: string | undefined;
}

/** The kind looked at last: a turn looks at one several times, and a text that was looked up before is found sooner. */
let last: { readonly of: Kind; readonly digest: Digest; readonly keys: readonly string[] } | undefined;

/** The keys of all calls of one tool, and of one input of it. */
export function queueKeys(digest: Digest, of: Kind): readonly string[] {
  const { agentId, tool, hash } = of;
  if (
    last?.of.hash === hash &&
    last?.of.tool === tool &&
    last.of.agentId === agentId &&
    last.digest === digest
  )
    return last.keys;
  const name = `${agentId}/${isId(tool) ? tool : digest("t_", [tool])}`;
  const keys = hash === undefined ? [name] : [`${name}/${hash.slice(0, HASH_KEPT)}`, name];
  last = { of: { agentId, tool, hash }, digest, keys };
  return keys;
}

/** The keys of the calls that a message may be about, as far as it says: by input, by tool, or none. */
export type Likeness = readonly string[];

export const likeness = (digest: Digest, agentId: AgentId, { tool, input }: CallRef): Likeness =>
  tool === undefined ? [] : queueKeys(digest, { agentId, tool, hash: input?.hash });

/** The key of one input, where the message shows one. */
export const inputKey = (like: Likeness): string | undefined => (like.length > 1 ? like[0] : undefined);
