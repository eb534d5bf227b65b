// Queue keys
// The keys by which a call is found without an id: its agent, its tool, its input.
//
//   Owns:          the keys of calls, and the shape of a call found by a key.
//   Does not own:  the queues that have these keys (correlation, nameless-calls).

import type { Match } from "../facts/call-facts.ts";
import { type AgentId, type CallId, isId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";

/** Makes a short id from parts: prefix + base32 of a SHA-256. The runtime passes this function in, so this layer stays pure. */
export type Digest = (prefix: string, parts: readonly string[]) => string;

export interface Found {
  readonly id: CallId;
  readonly match: Match;
}

/** How many hex digits of a SHA-256 are used. 128 bits tell inputs apart, and make the longest keys half as long. */
const HASH_KEPT = 32;

interface Kind {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly hash?: string | undefined;
}

/** The last kind and its keys: a turn uses one kind several times, and finds the rows of the same text object faster. */
let last: { readonly of: Kind; readonly digest: Digest; readonly keys: readonly string[] } | undefined;

/** The keys of one call: the key that it shares with all calls of its tool and input, then the one for all calls of its tool. */
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

/** The keys of the calls that a message may be about: by input, by tool, or none, depending on what the message shows. */
export type Likeness = readonly string[];

export const likeness = (digest: Digest, agentId: AgentId, { tool, input }: CallRef): Likeness =>
  tool === undefined ? [] : queueKeys(digest, { agentId, tool, hash: input?.hash });

/** The key by input, if the message shows an input. */
export const inputKey = (like: Likeness): string | undefined => (like.length > 1 ? like[0] : undefined);
