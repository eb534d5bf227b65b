// Keyed
// The messages of one body, named by the idempotency key sent with it.
//
//   Owns:          the key under which the reply to each is stored.
//   Does not own:  the form of a sender's key (key), refusing a key used for another body (door).
//
// KEYED-1. A key belongs to its sender and counts in one workspace: a message to another workspace under the same key
//     is a different one.
// KEYED-2. Version 0.1.0 kept replies under keys that named no workspace. As long as one is kept, what is sent under the
//     same key counts as it did there: the same body gets that reply, another one is refused.

import { hash } from "node:crypto";
import type { Message } from "../message.ts";
import { digestId } from "../foreign-id.ts";

type Keyed<M> = M & { readonly key: string; readonly content: string };

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
): readonly Keyed<M>[] {
  const content = hash("sha256", body, "hex");
  const counts = new Map<string, number>();
  return messages.map((message) => {
    const { workspace } = message;
    const n = counts.get(workspace) ?? 0;
    counts.set(workspace, n + 1);
    return { ...message, key: digestId("k_", [door, by, key, workspace, String(n)]), content };
  });
}

/**
 * KEYED-2.
 * @param isKept whether a reply stands under a key.
 * @returns the same messages, each under the key of version 0.1.0 if its reply stands under that one alone.
 */
export const withKeysOfBefore = <M extends Message>(
  messages: readonly Keyed<M>[],
  { door, by, key }: Sender,
  isKept: (key: string) => boolean,
): readonly Keyed<M>[] =>
  messages.map((message, n) => {
    const before = digestId("k_", [door, by, key, String(n)]);
    return !isKept(message.key) && isKept(before) ? { ...message, key: before } : message;
  });
