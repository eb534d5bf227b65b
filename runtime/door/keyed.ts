// Keyed
// The messages of one body under the idempotency key that was sent with it.
//
//   Owns:          the name under which the reply to each is kept.
//   Does not own:  what one key may look like (key), refusing a key used for another body (door).
//
// KEYED-1. A key is its sender's, and counts for one workspace: what was said to another under the same key is
//     something else.

import { hash } from "node:crypto";
import type { Message } from "../message.ts";
import { digestId } from "../foreign-id.ts";

interface Sender {
  readonly door: string;
  readonly by: string;
  readonly key: string;
}

/** @returns the messages, in their order, each with a name of its own and the hash of the body. */
export function withKeys<M extends Message>(
  messages: readonly M[],
  body: Uint8Array,
  { door, by, key }: Sender,
): readonly (M & { readonly key: string; readonly content: string })[] {
  const content = hash("sha256", body, "hex");
  const counts = new Map<string, number>();
  return messages.map((message) => {
    const { workspace } = message;
    const n = counts.get(workspace) ?? 0;
    counts.set(workspace, n + 1);
    return { ...message, key: digestId("k_", [door, by, key, workspace, String(n)]), content };
  });
}
