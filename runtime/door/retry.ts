// Retry
// A dead letter, sent once more as it came.
//
//   Owns:          which letters can be: those kept whole, from a door that takes events or hooks.
//   Does not own:  taking it in (door): it passes every check again.
//
// A9. A decision is never sent again: what was asked then may not be what is asked now.

import { RefusedError } from "../errors.ts";
import { keys } from "../keys.ts";
import { type Message, readMessage } from "../message.ts";
import type { Store } from "../ports.ts";
import { type Whereabouts, WORKSPACE_HEADER } from "./workspace.ts";

/** What is to be sent again: bytes for a door, or a message that was in the journal already. */
export type Again =
  | { readonly to: "events"; readonly body: Uint8Array }
  | { readonly to: "hooks"; readonly body: Uint8Array; readonly says: Whereabouts }
  | { readonly to: "journal"; readonly message: Message };

interface Letter {
  readonly body: string;
  readonly door?: string;
  readonly bytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param n the letter's number. @throws RefusedError UNKNOWN_LETTER, NOT_RETRIED */
export function readLetter(store: Pick<Store, "get">, n: number): Again {
  const text = Number.isSafeInteger(n) && n > 0 ? store.get(keys.dead(n)) : undefined;
  if (text === undefined)
    throw new RefusedError(
      "UNKNOWN_LETTER",
      `There is no dead letter ${n}.`,
      "See GET /v1/dead-letters.",
      "n",
    );
  // Dead letters are written by the turn only.
  const { body, door, bytes, headers } = JSON.parse(text) as Letter;
  const whole = Buffer.from(body);
  if (bytes !== undefined && bytes !== whole.length) throw notRetried("only its beginning was kept");
  if (door === undefined) return { to: "journal", message: sourceMessage(body) };
  if (door.endsWith("/v1/events") || door === "library") return { to: "events", body: whole };
  if (door.includes("/v1/hooks/")) {
    const workspace = headers?.[WORKSPACE_HEADER];
    return { to: "hooks", body: whole, says: workspace === undefined ? {} : { workspace } };
  }
  throw notRetried(`what came in at ${door} is not sent again`);
}

function sourceMessage(body: string): Message {
  try {
    const message = readMessage(body);
    // Under its key it would be answered as before.
    const { key: _, content: _sent, ...again } = message;
    if (again.door === "in") return again;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
  throw notRetried("it is no message of a source, or only its beginning was kept");
}

const notRetried = (why: string): RefusedError =>
  new RefusedError(
    "NOT_RETRIED",
    `The letter cannot be sent again: ${why}.`,
    "Send the message anew, put right.",
  );
