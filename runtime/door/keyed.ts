// Keyed
// A sender's idempotency key, and the keys made of it: one for each message of the body that came with the key.
//
//   Owns:          the allowed form of a sender's key; the key under which the reply to each message is stored; refusing a key
//                  that was used for another body.
//   Does not own:  the replies (engine).
//
// KEYED-1. A key belongs to its sender and to one workspace: two messages of different workspaces with the same key are different
//     messages.
// KEYED-2. Version 0.1.0 stored replies under keys that named no workspace. As long as such a reply is stored, its key works as
//     in version 0.1.0, in every workspace: the same body gets the stored reply, another body is refused.

import { hash } from "node:crypto";
import type { Message } from "../message.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import { digestId } from "../foreign-id.ts";
import { keyReused } from "./complaints.ts";

/** The field with a sender's idempotency key, checked; no field if the sender gave none. @throws RefusedError BAD_KEY */
export function keyOf(key: string | undefined): { readonly key?: string } {
  if (key === undefined) return {};
  if (/^[\x20-\x7e]{1,256}$/.test(key)) return { key };
  throw new RefusedError(
    "BAD_KEY",
    "The Idempotency-Key must have 1 to 256 printable ASCII characters.",
    "Send a UUID as the Idempotency-Key, for example.",
    "Idempotency-Key",
  );
}

interface Sender {
  readonly door: string;
  readonly by: string;
  readonly key?: string;
}

/**
 * If a sender gave an idempotency key: gives each of the sender's messages a key made from it, and the hash of the sent bytes.
 * @param sent returns the bytes that came with the key.
 * @throws RefusedError KEY_REUSED if the key was used for another body.
 */
export async function keyed<M extends Message>(
  engine: Pick<Engine, "known">,
  messages: readonly M[],
  sent: () => Uint8Array,
  { door, by, key }: Sender,
): Promise<readonly M[]> {
  if (key === undefined) return messages;
  const isKept = (name: string): boolean => engine.known(name) !== undefined;
  const content = hash("sha256", sent(), "hex");
  const counts = new Map<string, number>();
  const named = messages.map((message, n) => {
    const { workspace } = message;
    const count = counts.get(workspace) ?? 0;
    counts.set(workspace, count + 1);
    const own = digestId("k_", [door, by, key, workspace, String(count)]);
    // KEYED-2
    const before = digestId("k_", [door, by, key, String(n)]);
    return { ...message, key: !isKept(own) && isKept(before) ? before : own, content };
  });
  for (const each of named) {
    const before = engine.known(each.key);
    if (before && (await before).content !== each.content) throw keyReused();
  }
  return named;
}
