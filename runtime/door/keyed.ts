// Keyed
// The messages of one body, named by the idempotency key sent with it.
//
//   Owns:          the key under which the reply to each is stored.
//   Does not own:  the form of a sender's key (key), refusing a key used for another body (door).
//
// KEYED-1. A key belongs to its sender and counts in one workspace: a message to another workspace under the same key
//     is a different one.

import { hash } from "node:crypto";
import type { Message } from "../message.ts";
import { digestId } from "../foreign-id.ts";

interface Sender {
  readonly door: string;
  readonly by: string;
  readonly key: string;
}

/** @returns the messages, in order, each with a key of its own and the hash of the body. */
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
