// Seen
// Recognises messages that were applied before.
//
//   Owns:          the row that identifies a message: by session, source and id.
//   Does not own:  the idempotency keys that callers give messages (turn), removing the rows (removal).
//
// G1. A message that is sent twice counts once. The second copy changes nothing, through whichever door it comes.

import { type Digest, isId, sessionAddress } from "../../machines/index.ts";
import { keys } from "./keys.ts";
import type { Message } from "../message.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry } from "../ports.ts";

/** Stores that an entry's message was seen. @returns true if it was seen before; always false for the engine's own messages. */
export function isRepeated(layer: Layer, entry: JournalEntry, message: Message, digest: Digest): boolean {
  if (message.door === "own") return false;
  const session = sessionAddress(message.workspace, message.session);
  const { source, id } = message;
  const key = keys.seen(session, isId(source) && isId(id) ? `${source}/${id}` : digest("s_", [source, id]));
  if (layer.get(key) !== undefined) return true;
  layer.set(key, entry.position);
  return false;
}
