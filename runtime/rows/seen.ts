// Seen
// Recognises inputs that came before.
//
//   Owns:          the row of an input's identity: session, source and id.
//   Does not own:  keys of callers (turn), removing the rows (removal).
//
// G1. An input that is sent twice counts once. The repeat changes nothing, through whichever door it comes.

import { type Digest, isId, sessionAddress } from "../../machines/index.ts";
import { keys } from "./keys.ts";
import type { Message } from "../message.ts";
import type { Layer } from "./overlay.ts";
import type { JournalEntry } from "../ports.ts";

/** Notes an entry's message. @returns true if the message was noted before; never for own messages. */
export function isRepeated(layer: Layer, entry: JournalEntry, message: Message, digest: Digest): boolean {
  if (message.door === "own") return false;
  const session = sessionAddress(message.workspace, message.session);
  const { source, id } = message;
  const key = keys.seen(session, isId(source) && isId(id) ? `${source}/${id}` : digest("s_", [source, id]));
  if (layer.get(key) !== undefined) return true;
  layer.set(key, entry.position);
  return false;
}
