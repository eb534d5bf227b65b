// Dead letters
// Dead letters record which message was not applied, and why: the row that the turn writes, and the published form.
//
//   Owns:          the row of a dead letter, its workspace, subject, headers and public id.
//   Does not own:  setting an entry aside (turn), refusing a message (door/refusals), publishing (outbox).
//
// ROWS-DEAD-LETTERS-1. The public id of a letter never changes, so a reader that stores ids processes each letter once.
// ROWS-DEAD-LETTERS-2. Text that somebody sent to the engine cannot add a header or another subject.

import { keys } from "./keys.ts";
import type { OutgoingLetter, Store } from "../ports.ts";
import { subjects } from "./subjects.ts";
import type { AtPeer } from "./views.ts";

/** A dead letter as its row holds it, and with the name of its engine in a list of several. */
export interface DeadLetter extends AtPeer {
  readonly n: number;
  readonly position: number;
  /** The time by the journal's stamp, ms. */
  readonly at: number;
  readonly code: string;
  readonly reason: string;
  /** The field of the message that is wrong. */
  readonly path?: string;
  /** The door that refused the message, and the name of the sender at that door. */
  readonly door?: string;
  readonly by?: string;
  /** The subject of a message that came over NATS. */
  readonly subject?: string;
  /** The workspace, if no other field of the letter names it. */
  readonly workspace?: string;
  /** The message, or its beginning. If it is only the beginning, `bytes` is the full length. */
  readonly body: string;
  readonly bytes?: number;
  /** The hash of the whole message, if the engine read it to its end. */
  readonly sha256?: string;
  /** Headers of the message that are needed to send it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many similar messages were refused that got no letter of their own. */
  readonly unrecorded?: number;
  /** Only in the published form: the fields that were too large to publish. */
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
  throw new Error("The row lacks a field that every dead letter has.");
}

function isLetter(value: unknown): value is DeadLetter {
  if (typeof value !== "object" || value === null) return false;
  const { n, position, code, reason, body } = value as Partial<DeadLetter>;
  const texts = [code, reason, body];
  return [n, position].every(Number.isSafeInteger) && texts.every((text) => typeof text === "string");
}

const ENTRY = /^\{"door":"(?:in|own)","workspace":"([A-Za-z0-9_-]{1,128})"/;

/**
 * The workspace of a letter: from the message's subject, which the NATS server protects, or from the entry. Undefined if the
 * message came through a door that knows no workspace, because the body of such a message may name any workspace.
 */
function workspaceOf({ subject, workspace, door, body }: DeadLetter): string | undefined {
  if (workspace !== undefined) return workspace;
  const heardOn = subject ?? /^nats:(.+)$/.exec(door ?? "")?.[1];
  if (heardOn !== undefined) return subjects.workspaceIn(heardOn);
  return door === undefined ? ENTRY.exec(body)?.[1] : undefined;
}

/** The cast is safe: only the turn writes rows of letters. */
const readDeadLetter = (text: string): DeadLetter => JSON.parse(text) as DeadLetter;

/** The workspace of the letter in a row, if the letter has one. */
export function workspaceOfLetter(row: string): string | undefined {
  try {
    return workspaceOf(readDeadLetter(row));
  } catch {
    return undefined;
  }
}

/** The letter in a row; undefined if its workspace is not among `workspaces`. */
export function letterIn(row: string, workspaces: readonly string[] | undefined): DeadLetter | undefined {
  const letter = readDeadLetter(row);
  return workspaces?.includes(workspaceOf(letter) ?? "") === false ? undefined : letter;
}

/** @returns undefined if there is no such letter, or its workspace is not among these. */
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
