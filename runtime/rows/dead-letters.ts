// Dead letters
// Messages that were not applied, and why: the row that the turn writes, and its published form.
//
//   Owns:          the shape of a letter's row, its workspace, its subject, its headers, its public id.
//   Does not own:  setting aside (turn), what a door refuses (door/refusals), sending (outbox).
//
// ROWS-DEAD-LETTERS-1. A letter's public id never changes: a reader that keeps ids sees each letter once.
// ROWS-DEAD-LETTERS-2. Nothing that was sent to the engine can break out of a header or a subject.

import { keys } from "./keys.ts";
import type { OutgoingLetter, Store } from "../ports.ts";
import { subjects } from "./subjects.ts";

/** A row of the dead letters. */
export interface DeadLetter {
  readonly n: number;
  readonly position: number;
  /** The journal's stamp, ms. */
  readonly at: number;
  readonly code: string;
  readonly reason: string;
  /** The field at fault. */
  readonly path?: string;
  /** The door that refused it, and the sender's name there. */
  readonly door?: string;
  readonly by?: string;
  /** The subject it was published on, if it came over NATS. */
  readonly subject?: string;
  /** Whom it is about, if nothing else in it says so. */
  readonly workspace?: string;
  /** The beginning of what was sent, or all of it: `bytes` gives the full length. */
  readonly body: string;
  readonly bytes?: number;
  /** Of the whole, if it was read to its end. */
  readonly sha256?: string;
  /** What came with it and is needed to send it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many more have no letter of their own. */
  readonly unrecorded?: number;
  /** Only in the published form: what the outlet could not carry. */
  readonly cut?: readonly string[];
  /** The entry that took the letter back. */
  readonly retriedAt?: number;
  /** Who said that it needs nobody any more, and when, ms. */
  readonly dismissed?: { readonly by: string; readonly at: number };
}

/** The letter in a row of the log. @throws Error for a row that does not say which it is, why, and of what. */
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

/** The beginning of a journal entry's text (message). */
const ENTRY = /^\{"door":"(?:in|own)","workspace":"([A-Za-z0-9_-]{1,128})"/;

/**
 * The workspace a letter is about: from the subject it came in on, which the server guards, else from its entry.
 * Undefined if a door took it that knows no workspace: its body may say anything.
 */
function workspaceOf({ subject, workspace, door, body }: DeadLetter): string | undefined {
  if (workspace !== undefined) return workspace;
  const heardOn = subject ?? /^nats:(.+)$/.exec(door ?? "")?.[1];
  if (heardOn !== undefined) return subjects.workspaceIn(heardOn);
  return door === undefined ? ENTRY.exec(body)?.[1] : undefined;
}

/** Only the turn writes letter rows. */
const readDeadLetter = (text: string): DeadLetter => JSON.parse(text) as DeadLetter;

/** The workspace a row is about, as far as it says. */
export function workspaceOfLetter(row: string): string | undefined {
  try {
    return workspaceOf(readDeadLetter(row));
  } catch {
    return undefined;
  }
}

/** A row as a letter; undefined for one about another workspace than those asked for. */
export function letterIn(row: string, workspaces: readonly string[] | undefined): DeadLetter | undefined {
  const letter = readDeadLetter(row);
  return workspaces?.includes(workspaceOf(letter) ?? "") === false ? undefined : letter;
}

/** @returns undefined if there is none, or none about the workspaces asked for. */
export function letterAt(
  store: Pick<Store, "get">,
  n: number,
  workspaces?: readonly string[],
): DeadLetter | undefined {
  const text = Number.isSafeInteger(n) && n > 0 ? store.get(keys.dead(n)) : undefined;
  return text === undefined ? undefined : letterIn(text, workspaces);
}

const HEADER_CHARACTERS_MAX = 512;

/** @param log the name of the letters' log. */
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

/** @returns text as one line of printable ASCII. */
function headerText(text: string): string {
  const line = text.slice(0, HEADER_CHARACTERS_MAX).replace(/[^\x21-\x7e]+/g, " ");
  return line.trim();
}
