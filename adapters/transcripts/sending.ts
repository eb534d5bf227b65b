// Sending
// Sends lines of a transcript to the door, as messages of their session.
//
//   Owns:          the id of a line, which lines are sent, the dead letter for others.
//   Does not own:  reading files (watched-file), the checks of a message (door), the effects of a message (machines).
//
// TRANSCRIPTS-SENDING-1. A line's id depends on its text and its session: a line that is read twice, copied, or written twice is
//     one message. So the journal depends neither on how the file was written nor on how often it was read.
// TRANSCRIPTS-SENDING-2. A line that names another session than the transcript's is sent to neither of the two sessions.
// TRANSCRIPTS-SENDING-3. A line that cannot be read becomes a dead letter with its place; the lines around it are sent. If a
//     killed client left half a line, the whole line that was written right after it is sent, too.

import { createHash } from "node:crypto";
import type { SessionId, WorkspaceId } from "../../machines/index.ts";
import type { TranscriptForm } from "../../runtime/client-profile.ts";
import type { Door, Taken } from "../../runtime/door/door.ts";
import { envelopeOf } from "../../runtime/door/envelope.ts";
import { parseBytes } from "../../runtime/door/parse.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import type { Counts } from "./counts.ts";
import type { Line } from "./lines.ts";

/** The session that a transcript belongs to. */
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
const CARRIAGE_RETURN = 0x0d;

/** A line as it is sent, or why it is not; empty for an empty line. */
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
   * Sends lines in their order. @param toldForeign whether a dead letter has already reported another session's name in this
   * file.
   * @returns once all are durable or reported, whether a line named another session.
   * @throws RetryableError if the door accepts nothing at the moment: send them again, nothing was counted or reported.
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
      if (why && !(fate === "foreign" && isTold)) await this.#refuse(why, line);
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
      const behind = error.code === "NOT_JSON" ? this.#behindHalf(whole, owner) : undefined;
      return { fate: "refused", why: unreadable(error, at), ...(behind && { envelope: behind }) };
    }
  }

  #envelope(text: Buffer, data: unknown, { workspace, session }: Owner): object {
    const { type, source } = this.#options.client;
    const id = createHash("sha256").update(text).digest("base64url");
    return envelopeOf({ workspace, session, id, source, type, data });
  }

  /** The message of the whole line that follows half of another; undefined if there is none of this session. */
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

  async #refuse(error: RefusedError, { bytes, length, isTooLong }: Line): Promise<void> {
    const cut = isTooLong ? { bytes: length } : {};
    await this.#options.door.refusals.record(error, { ...CALLER, body: bytes, ...cut });
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

/** How often `wholeAtEnd` tries to parse an object: a long line could otherwise hold the engine up. */
const BEGINNINGS_MAX = 1_000;

/** The object that ends where the bytes end, and begins after their start. */
function wholeAtEnd(bytes: Buffer): Buffer | undefined {
  let at = bytes.length;
  for (let tried = 0; tried < BEGINNINGS_MAX && at > 0; tried++) {
    at = bytes.lastIndexOf('{"', at - 1);
    if (at <= 0) return undefined;
    try {
      JSON.parse(bytes.toString("utf8", at));
      return bytes.subarray(at);
    } catch {
      // The text from here on is not JSON: the object must begin further to the left.
    }
  }
  return undefined;
}

const foreign = (at: number): RefusedError =>
  new RefusedError(
    "TRANSCRIPT_FOREIGN",
    `The line at byte ${at} of a session's transcript names another session. The engine does not read such lines.`,
    "If the file is a copy, nothing is wrong. Otherwise find out which session wrote it.",
    "sessionId",
  );

const tooLong = (length: number): RefusedError =>
  new RefusedError("TOO_LARGE", `It is ${length} bytes long.`, "Look at the line in the transcript.");

const unreadable = ({ code, message, path }: RefusedError, at: number): RefusedError =>
  new RefusedError(
    code,
    `The line at byte ${at} of a session's transcript cannot be read: ${message}`,
    "The lines around it were read. Look at the line in the transcript.",
    path,
  );
