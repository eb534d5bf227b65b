// Sending
// Sends lines of a transcript to the door, as messages of their session.
//
//   Owns:          the id of a line, which lines are sent, the dead letter for a line that is not sent.
//   Does not own:  reading files (watched-file), the checks of a message (door), the effects of a message (machines).
//
// TRANSCRIPTS-SENDING-1. A line's id depends on its text and its session: a line that is read or written twice gives one message.
// TRANSCRIPTS-SENDING-2. A line that names another session than the transcript's is sent to neither of the two sessions.
// TRANSCRIPTS-SENDING-3. A line that cannot be read becomes a dead letter, which says where the line is; the lines around it are
//     sent. If a killed client left half a line, the whole line that was written right after it is sent, too.

import { createHash } from "node:crypto";
import { defined, sessionAddress, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import type { TranscriptForm } from "../../runtime/client-profile.ts";
import type { Door, Taken } from "../../runtime/door/door.ts";
import { envelopeOf } from "../../runtime/door/envelope.ts";
import { parseBytes } from "../../runtime/door/parse.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import type { Counts } from "./counts.ts";
import type { Line } from "./lines.ts";

/** The session to which a transcript belongs. */
export interface Owner {
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
}

export interface SendingOptions {
  readonly door: Pick<Door, "take"> & { readonly refusals: Pick<Door["refusals"], "record"> };
  readonly client: TranscriptForm;
  readonly counts: Counts;
}

const CALLER = { door: "transcripts", by: "transcripts" };
const BATCH_BYTES = 512 * 1024;
const [CARRIAGE_RETURN, QUOTE, BACKSLASH] = [0x0d, 0x22, 0x5c];
const OPENS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSES: ReadonlySet<number> = new Set([0x5d, 0x7d]);

interface ReadLine {
  readonly envelope?: object;
  readonly fate?: "aside" | "foreign" | "refused";
  readonly why?: RefusedError;
}

export class Sending {
  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /**
   * Sends lines in their order.
   * @param toldForeign whether a dead letter has reported that this file names another session.
   * @returns the new value of `toldForeign`, once all lines are durable or reported.
   * @throws RetryableError if the door accepts nothing now: send all lines again. No line of the batch was counted or reported.
   */
  async send(lines: readonly Line[], owner: Owner, toldForeign: boolean): Promise<boolean> {
    const read = lines.map((line) => ({ line, ...this.#read(line, owner) }));
    let batch: object[] = [];
    let bytes = 0;
    for (const { envelope, line } of read) {
      if (envelope === undefined) continue;
      if (bytes + line.length > BATCH_BYTES) {
        await this.#hand(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(envelope);
      bytes += line.length;
    }
    await this.#hand(batch);
    let isTold = toldForeign;
    for (const { line, fate, why } of read) {
      if (fate) this.#options.counts.line(fate);
      if (why && !(fate === "foreign" && isTold))
        await this.#refuse(why, line, fate === "foreign" ? undefined : owner);
      isTold ||= fate === "foreign";
    }
    return isTold;
  }

  #read({ at, bytes, length, isTooLong }: Line, owner: Owner): ReadLine {
    const whole = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
    if (whole.length === 0) return {};
    try {
      if (isTooLong) throw tooLong(length);
      const value = parseBytes(whole);
      const { sessionId, isAside } = this.#options.client.factsOf(value);
      if (sessionId !== undefined && sessionId !== owner.session)
        return { fate: "foreign", why: foreign(at) };
      return isAside ? { fate: "aside" } : { envelope: this.#envelope(whole, value, owner) };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // If the line begins with half of another line that ends within a text, the parser takes each later opening quote for a
      // closing one, and may report any fault. So after every refusal, a whole line is looked for at the end.
      const behind = isTooLong ? undefined : this.#behindHalf(whole, owner);
      return { fate: "refused", why: unreadable(error, at), ...(behind && { envelope: behind }) };
    }
  }

  #envelope(text: Buffer, data: unknown, { workspace, session }: Owner): object {
    const { type, source } = this.#options.client;
    const id = createHash("sha256").update(text).digest("base64url");
    return envelopeOf({ workspace, session, id, source, type, data });
  }

  /**
   * If a killed client left half a line, makes the message of the whole line that was written right after it. @returns undefined
   * if there is no such line, or if it is another session's.
   */
  #behindHalf(bytes: Buffer, owner: Owner): object | undefined {
    const text = wholeAtEnd(bytes);
    if (text === undefined) return undefined;
    try {
      const value = parseBytes(text);
      const { sessionId, isAside } = this.#options.client.factsOf(value);
      return sessionId === owner.session && !isAside ? this.#envelope(text, value, owner) : undefined;
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  }

  /** @param owner absent for a line of another session, which the line itself names. */
  async #refuse(error: RefusedError, { bytes, length, isTooLong }: Line, owner?: Owner): Promise<void> {
    const cut = isTooLong ? { bytes: length } : {};
    const session = owner && sessionAddress(owner.workspace, owner.session);
    await this.#options.door.refusals.record(error, {
      ...CALLER,
      body: bytes,
      ...cut,
      ...defined({ session }),
    });
  }

  async #hand(batch: readonly object[]): Promise<void> {
    if (batch.length === 0) return;
    const { door, counts } = this.#options;
    const taken = await door.take(batch, CALLER);
    const again = taken.find((each) => "refused" in each && each.refused instanceof RetryableError);
    if (again && "refused" in again) throw again.refused;
    for (const each of taken) counts.line(fateOf(each));
  }
}

function fateOf(taken: Taken): "taken" | "repeated" | "refused" {
  if ("refused" in taken || taken.reply.outcome === "dead") return "refused";
  return taken.reply.outcome === "duplicate" ? "repeated" : "taken";
}

/**
 * Scans backwards once: parsing from each brace in turn would block the engine for minutes on a long line.
 * @returns the bytes from the brace at which an object at their end must begin; undefined if that is the first byte, or missing.
 */
function wholeAtEnd(bytes: Buffer): Buffer | undefined {
  let levels = 0;
  let isText = false;
  for (let at = bytes.length - 1; at > 0; at--) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      let before = at;
      while (bytes[before - 1] === BACKSLASH) before--;
      // Within a text, a quote behind an odd number of backslashes is part of the text.
      isText = !isText || (at - before) % 2 === 1;
    } else if (!isText && CLOSES.has(byte)) levels += 1;
    else if (!isText && OPENS.has(byte) && --levels <= 0) return bytes.subarray(at);
  }
  return undefined;
}

const foreign = (at: number): RefusedError =>
  new RefusedError(
    "TRANSCRIPT_FOREIGN",
    `The line at byte ${at} of a session's transcript names another session. The engine does not read such lines.`,
    "If somebody copied another session's transcript here, nothing is wrong. Otherwise find out which session wrote it.",
    "sessionId",
  );

const tooLong = (length: number): RefusedError =>
  new RefusedError(
    "TOO_LARGE",
    `The line has ${length} bytes, which is too many.`,
    "Look at the line in the transcript.",
  );

const unreadable = ({ code, message, path }: RefusedError, at: number): RefusedError =>
  new RefusedError(
    code,
    `The line at byte ${at} of a session's transcript cannot be read: ${message}`,
    "The engine read the lines before and after it. Look at the line in the transcript.",
    path,
  );
