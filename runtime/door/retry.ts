// Retry
// Reads the message in a dead letter, so that the message can be sent again.
//
//   Owns:          which dead letters can be sent again: those that contain a complete message from a door for events or hooks,
//                  and poison entries.
//   Does not own:  checking and accepting the message again (door), applying an entry that was set aside (retried).
//
// RETRY-1. A decision to approve is never sent again, because the approval may have changed since. A denial that was set aside
//     is sent again. A request to make, remove or enforce a rule is never sent again.

import { RefusedError } from "../errors/errors.ts";
import { keys } from "../rows/keys.ts";
import { type DeadLetter, letterAt } from "../rows/dead-letters.ts";
import { type Message, messageIn, type OwnMessage, readMessage } from "../message.ts";
import { POISON } from "../turn/set-aside/poison.ts";
import type { Store } from "../ports.ts";
import type { HookSays } from "./hook.ts";
import { WORKSPACE_HEADER } from "../workspace-reach.ts";

/** What is sent again on a retry: bytes for a door, or a message that was in the journal before. */
export type Again =
  | { readonly to: "events"; readonly body: Uint8Array }
  | { readonly to: "hooks"; readonly body: Uint8Array; readonly says: HookSays }
  | { readonly to: "journal"; readonly message: Message };

/** @param n the number of the dead letter. @throws RefusedError UNKNOWN_LETTER, NOT_RETRIED */
export function readLetter(store: Pick<Store, "get">, n: number): Again {
  const letter = letterAt(store, n);
  if (letter === undefined) throw unknownLetter(n);
  const { body, door, bytes, code, headers } = letter;
  if (code === POISON) return { to: "journal", message: fedAgain(letter, store.get(keys.buried(n))) };
  const whole = Buffer.from(body);
  if (bytes !== undefined && bytes !== whole.length) throw notRetried("only its beginning was kept");
  if (door === undefined) return { to: "journal", message: sourceMessage(body) };
  if (door.endsWith("/v1/events") || door === "library") return { to: "events", body: whole };
  const [, client] = /\/v1\/hooks\/(.+)$/.exec(door) ?? [];
  if (client !== undefined) {
    const workspace = headers?.[WORKSPACE_HEADER];
    return { to: "hooks", body: whole, says: { client, ...(workspace !== undefined && { workspace }) } };
  }
  throw notRetried(`what came in at ${door} is not sent again`);
}

/** The own message that retries an entry that was set aside. @param kept the whole entry, from the row in which it was stored. */
function fedAgain({ n, body, retriedAt }: DeadLetter, kept: string | undefined): OwnMessage {
  if (retriedAt !== undefined) throw notRetried(`it was retried before, with entry ${retriedAt}`);
  // The cast is safe: a row of this kind is written only when an entry is set aside, and it holds the entry's text.
  const message = messageIn(kept === undefined ? body : (JSON.parse(kept) as string));
  if (!message) throw notRetried("only its beginning was kept");
  const { workspace, session } = message;
  if (message.door === "own" && message.said.type === "retried")
    throw notRetried(`it was itself a retry of letter ${message.said.letter}, which is still there`);
  if (message.door === "own" && message.said.type === "decision" && message.said.decision === "approve")
    throw notRetried("a decision to approve counts only for the approval as it was then");
  if (message.door === "own" && message.said.type.startsWith("rule."))
    throw notRetried("only a person can make, remove or enforce a rule");
  return { door: "own", workspace, session, said: { type: "retried", letter: n } };
}

function sourceMessage(body: string): Message {
  try {
    const message = readMessage(body);
    // The message loses its old idempotency key, because with that key the sender would only get the earlier answer again.
    const { key: _, content: _sent, ...again } = message;
    if (again.door === "in") return again;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  throw notRetried("it is no message of a source, or only its beginning was kept");
}

export const unknownLetter = (n: number): RefusedError =>
  new RefusedError("UNKNOWN_LETTER", `There is no dead letter ${n}.`, "See GET /v1/dead-letters.", "n");

const notRetried = (why: string): RefusedError =>
  new RefusedError(
    "NOT_RETRIED",
    `The dead letter cannot be sent again: ${why}.`,
    "Send the message once more from its source. If it was a decision, decide about the approval again.",
  );
