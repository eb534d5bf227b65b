// Seen
// Which inputs were already taken in.
//
//   Owns:          the row of an input's identity: session, source and id.
//   Does not own:  keys of callers (turn), letting the rows go (removal).
//
// G1. The same input sent twice counts once: the second changes nothing, however it comes.

import { type Digest, isId, sessionAddress } from "../../machines/index.ts";
import { keys } from "./keys.ts";
import type { Message } from "../message.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry } from "../ports.ts";

/** Notes an entry's message. @returns true if it was noted before; never for the engine's own messages. */
export function isRepeated(layer: Layer, entry: JournalEntry, message: Message, digest: Digest): boolean {
  if (message.door === "own") return false;
  const session = sessionAddress(message.workspace, message.session);
  const { source, id } = message;
  const key = keys.seen(session, isId(source) && isId(id) ? `${source}/${id}` : digest("s_", [source, id]));
  if (layer.get(key) !== undefined) return true;
  layer.set(key, entry.position);
  return false;
}
