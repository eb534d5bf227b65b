// Dead letters
// Records of messages that were not applied, and why: the row that the turn writes, and its published form.
//
//   Owns:          the row of a dead letter, its workspace, subject, headers and public id.
//   Does not own:  setting aside (turn), refusing a message (door/refusals), publishing (outbox).
//
// ROWS-DEAD-LETTERS-1. A letter's public id never changes, so a reader that stores ids reads each letter once.
// ROWS-DEAD-LETTERS-2. No text sent to the engine can break out of a header or a subject.

import { keys } from "./keys.ts";
import type { OutgoingLetter, Store } from "../ports.ts";
import { subjects } from "./subjects.ts";

/** A dead letter, as it is stored. */
export interface DeadLetter {
  readonly n: number;
  readonly position: number;
  /** The journal's stamp, ms. */
  readonly at: number;
  readonly code: string;
  readonly reason: string;
  /** The field that is wrong. */
  readonly path?: string;
  /** The door that refused the message, and the sender's name there. */
  readonly door?: string;
  readonly by?: string;
  /** The subject of a message that came over NATS. */
  readonly subject?: string;
  /** The workspace, if no other field names it. */
  readonly workspace?: string;
  /** The message, or its beginning; then `bytes` is the full length. */
  readonly body: string;
  readonly bytes?: number;
  /** The hash of the whole message, if it was read to its end. */
  readonly sha256?: string;
  /** Headers of the message that are needed to send it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many similar messages were refused without a letter of their own. */
  readonly unrecorded?: number;
  /** Only in the published form: the fields that the outlet could not carry. */
  readonly cut?: readonly string[];
  /** The journal position of the entry that retried the message. */
  readonly retriedAt?: number;
  /** Who dismissed the letter, and when, ms. */
  readonly dismissed?: { readonly by: string; readonly at: number };
}

/** The letter in a row of the log. @throws Error for a row without the fields of a letter. */
export function wholeLetter(text: string): DeadLetter {
  const row: unknown = JSON.parse(text);
  if (isLetter(row)) return row;
  throw new Error("It lacks what every dead letter has.");
}

function isLetter(value: unknown): value is DeadLetter {
  if (typeof value !== "object" || value === null) return false;
  const { n, position, code, reason, body } = value as Partial<DeadLetter>;
  const texts = [code, reason, body];
  return [n, position].every(Number.isSafeInteger) && texts.every((text) => typeof text === "string");
}

const ENTRY = /^\{"door":"(?:in|own)","workspace":"([A-Za-z0-9_-]{1,128})"/;

/**
 * The workspace of a letter: from the message's subject, which the server guards, or from its entry. Undefined if the message
 * came through a door that knows no workspace, because the body of such a message may claim anything.
 */
function workspaceOf({ subject, workspace, door, body }: DeadLetter): string | undefined {
  if (workspace !== undefined) return workspace;
  const heardOn = subject ?? /^nats:(.+)$/.exec(door ?? "")?.[1];
  if (heardOn !== undefined) return subjects.workspaceIn(heardOn);
  return door === undefined ? ENTRY.exec(body)?.[1] : undefined;
}

/** Only the turn writes letter rows. */
const readDeadLetter = (text: string): DeadLetter => JSON.parse(text) as DeadLetter;

/** The workspace of a row, if the row has one. */
export function workspaceOfLetter(row: string): string | undefined {
  try {
    return workspaceOf(readDeadLetter(row));
  } catch {
    return undefined;
  }
}

/** A row as a letter; undefined for a letter of another workspace than `workspaces`. */
export function letterIn(row: string, workspaces: readonly string[] | undefined): DeadLetter | undefined {
  const letter = readDeadLetter(row);
  return workspaces?.includes(workspaceOf(letter) ?? "") === false ? undefined : letter;
}

/** @returns undefined if there is none, or none of these workspaces. */
export function letterAt(
  store: Pick<Store, "get">,
  n: number,
  workspaces?: readonly string[],
): DeadLetter | undefined {
  const text = Number.isSafeInteger(n) && n > 0 ? store.get(keys.dead(n)) : undefined;
  return text === undefined ? undefined : letterIn(text, workspaces);
}

const HEADER_CHARACTERS_MAX = 512;

export function outgoingLetter(letter: DeadLetter, log: string): OutgoingLetter {
  const { n, position, code, reason, path, door, by, subject } = letter;
  const said = { Code: code, Reason: reason, Path: path, Door: door, By: by, Subject: subject };
  const headers = Object.entries({ ...said, Position: String(position) }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`Signalbox-${name}`, headerText(value)] as const],
  );
  return {
    n,
    messageId: `dead:${log}:${n}`,
    subject: subjects.deadLetter(/^[A-Z0-9_]{1,64}$/.test(code) ? code : "OTHER"),
    headers: Object.fromEntries(headers),
    body: JSON.stringify(letter),
  };
}

function headerText(text: string): string {
  const line = text.slice(0, HEADER_CHARACTERS_MAX).replace(/[^\x21-\x7e]+/g, " ");
  return line.trim();
}
