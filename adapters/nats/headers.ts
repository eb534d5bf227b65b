// Headers
// Reads the headers of messages that others sent.
//
//   Owns:          the bytes of a message's headers, the lines in them.
//   Does not own:  which headers are read (wire.ts, owner-line.ts, services/decide.ts), making headers (connect.ts).
//
// NATS-HEADERS-1. The time that headers take grows with their length only, and a caller keeps only the headers that it reads. The
//     NATS client's own reader compares each name with all names before it: 250 KB of names take it minutes.
// NATS-HEADERS-2. Malformed headers are refused. The NATS client's own reader throws, which ends the client if it happens in
//     the callback of a subscription.

import type { Msg, StoredMsg } from "nats";
import type { MsgImpl } from "nats/lib/nats-base-client/msg.js";
import { RefusedError } from "../../runtime/errors/errors.ts";

/** The bytes of a message's headers; empty if there are none. Only private fields of the NATS client's own class have them. */
export function headBytes(message: Pick<Msg, "data">): Uint8Array {
  const {
    _msg: { hdr },
    _rdata: whole,
  } = message as MsgImpl;
  return whole.subarray(0, Math.max(0, hdr));
}

/** As `headBytes`, for a message that was read from its stream by its position. */
export function storedHeadBytes(message: StoredMsg): Uint8Array {
  const { smr: answer } = message as StoredMsg & Answered;
  return Buffer.from(answer.message.hdrs ?? "", "base64");
}

/** The server's answer, which the NATS client keeps in a stored message. */
interface Answered {
  readonly smr: { readonly message: { readonly hdrs?: string } };
}

/** Matches a header line that the NATS client's own reader accepts. */
const LINE = /^[!-9;-~]*:[^\r\n]*$/;

/** Yields the header lines in their order. @throws RefusedError BAD_HEADERS */
export function* headerLines(head: Uint8Array): Generator<readonly [name: string, value: string]> {
  const [text, lineEnd] = [Buffer.from(head).toString(), "\r\n"];
  let at = text.indexOf(lineEnd);
  while (at >= 0) {
    const from = at + lineEnd.length;
    at = text.indexOf(lineEnd, from);
    const line = text.slice(from, at < 0 ? undefined : at);
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    if (!LINE.test(line)) throw badHeaders();
    yield [line.slice(0, colon), line.slice(colon + 1).trim()];
  }
}

/** @returns the headers with these names; undefined if the headers are malformed. */
export function headersIn(
  head: Uint8Array,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  try {
    for (const [name, value] of headerLines(head)) {
      const before = found.get(name);
      if (names.has(name)) found.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  } catch {
    return undefined;
  }
  return found;
}

/** The status that the NATS server itself reports, such as 503 if nobody listens; undefined for any other message. */
export const statusIn = (head: Uint8Array): string | undefined =>
  /^NATS\/1\.0 +(\d{3})/.exec(Buffer.from(head.subarray(0, 16)).toString())?.[1];

export const badHeaders = (): RefusedError =>
  new RefusedError(
    "BAD_HEADERS",
    "The message has headers that cannot be read.",
    "Send names and values as the NATS documentation describes them.",
  );
