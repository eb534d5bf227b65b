// Seen
// Which inputs were taken in already.
//
//   Owns:          the row of an input's identity: session, source and id.
//   Does not own:  keys of callers (turn), letting the rows go (removal).
//
// G1. The same input twice is one: the second changes nothing, however it comes.

import { type Digest, isId, sessionAddress } from "../../machines/index.ts";
import { keys } from "./keys.ts";
import type { Message } from "../message.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry } from "../ports.ts";

/** Notes the message of an entry. @returns true when it was noted before; what the engine itself says never was. */
export function isRepeated(layer: Layer, entry: JournalEntry, message: Message, digest: Digest): boolean {
  if (message.door === "own") return false;
  const session = sessionAddress(message.workspace, message.session);
  const { source, id } = message;
  const key = keys.seen(session, isId(source) && isId(id) ? `${source}/${id}` : digest("s_", [source, id]));
  if (layer.get(key) !== undefined) return true;
  layer.set(key, entry.position);
  return false;
}
