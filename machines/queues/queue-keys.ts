// Queue keys
// The keys by which a call is found without an id (its agent, its tool, its input), and the books with these keys.
//
//   Owns:          the keys of calls, the shapes of the books with these keys, the shape of a call that is found by a key.
//   Does not own:  the names of the books (books), changing the books (correlation, nameless-calls), the order of ids (deque).

import type { Match } from "../facts/call-facts.ts";
import { type AgentId, type ApprovalId, type CallId, isId } from "../ids.ts";
import type { CallRef } from "../inputs.ts";
import type { Deque } from "./deque.ts";

/** Makes a short id of parts: prefix and base32 of a SHA-256. The runtime provides it, so that the machines need no library. */
export type Digest = (prefix: string, parts: readonly string[]) => string;

export interface Found {
  readonly id: CallId;
  readonly match: Match;
}

/** How many hex digits of an input's SHA-256 a key contains: 128 bits tell inputs apart, and halve the longest keys. */
const HASH_KEPT = 32;

interface Kind {
  readonly agentId: AgentId;
  readonly tool: string;
  readonly hash?: string | undefined;
}

/**
 * The last arguments and result of `queueKeys`: one turn computes the keys of the same call again and again, and a map finds
 * a row faster by the same string object.
 */
let last: { readonly of: Kind; readonly digest: Digest; readonly keys: readonly string[] } | undefined;

/** A call's keys: that of its agent's calls with the same tool and input, then that of its agent's calls of the same tool. */
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

export const inputKey = (like: Likeness): string | undefined => (like.length > 1 ? like[0] : undefined);

/** The queue of calls with the same (agent, tool, input), or with the same (agent, tool). */
export interface QueueBook {
  readonly announced: Deque<CallId> | undefined;
  readonly started: Deque<CallId> | undefined;
  /** Open calls that have no approval yet. */
  readonly unclaimed: Deque<CallId> | undefined;
  /** Closed calls that late evidence may still be about. Only a queue whose key includes an input has them. */
  readonly closed: Deque<CallId> | undefined;
  /** Pending approvals. Only a queue whose key includes an input has them. */
  readonly pending: Deque<ApprovalId> | undefined;
  /** The largest number of calls that were in a line at the same time. If it is more than one, a match is ambiguous (I-18). */
  readonly most?: { readonly announced: number; readonly started: number };
}

/** The calls with one (agent, tool, input) that were reported without an id, open or closed. */
export interface NamelessBook {
  readonly unnamed: Deque<CallId>;
  /** Calls that the client has not yet listed; only a list (`tool.batch`) without ids is matched with these calls. */
  readonly unlisted: Deque<CallId>;
  /** The largest number of calls that had no id at the same time. If it is more than one, a match is ambiguous (I-18). */
  readonly most?: number;
}
