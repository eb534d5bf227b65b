// Dead letters
// The row and the published form of a dead letter (here also: letter), which records that a message was not applied, and why.
//
//   Owns:          the row of a dead letter, its workspace, session, subject, headers and public id.
//   Does not own:  setting an entry aside (turn), refusing a message (door/refusals), publishing (outbox).
//
// ROWS-DEAD-LETTERS-1. The public id of a dead letter never changes, so a reader that remembers ids can process each letter
//     exactly once.
// ROWS-DEAD-LETTERS-2. Text that somebody sent to the engine cannot add a header or another subject.
// ROWS-DEAD-LETTERS-3. The letter of a journal entry is about the session in the first fields of the entry. The letter of a
//     refused message is about the session in the message's NATS subject; without a subject, about the session that the door
//     recorded. If the door recorded only the id of a session, without a workspace, the letter is about that session only if
//     no other workspace has a session with the same id.

import { type Address, parseAddress, sessionAddress } from "../../machines/index.ts";
import { tried } from "../../machines/json.ts";
import { keys } from "./keys.ts";
import type { OutgoingLetter, Store } from "../ports.ts";
import { sessionNamed } from "./named-session.ts";
import { WORKSPACE_HEADER } from "../workspace-reach.ts";
import { subjects } from "./subjects.ts";
import type { AtPeer } from "./views.ts";

/** A dead letter as its row contains it. In a list of several engines, it also has its engine's name. */
export interface DeadLetter extends AtPeer {
  readonly n: number;
  readonly position: number;
  readonly at: number;
  readonly code: string;
  readonly reason: string;
  /** The field of the message that is wrong. */
  readonly path?: string;
  readonly door?: string;
  /** The sender of the message, by the name that the door gave. */
  readonly by?: string;
  readonly subject?: string;
  /** The workspace, if no other field of the letter names it. */
  readonly workspace?: string;
  /** The session that a refused message names: its address, or its id if the door found no workspace. */
  readonly session?: string;
  /** The text of the message, or its beginning. If only the beginning is stored, `bytes` is the full length. */
  readonly body: string;
  readonly bytes?: number;
  /** The hash of the whole message, if the engine read it to its end. */
  readonly sha256?: string;
  /** The headers of the message that are needed to send it again. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How many earlier refused messages got no dead letter of their own; this letter counts them in their place. */
  readonly unrecorded?: number;
  /** Only in a published letter: the names of the fields that were too large to publish. */
  readonly cut?: readonly string[];
  readonly retriedAt?: number;
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

const ENTRY =
  /^\{"door":"(?:in|own)","workspace":"([A-Za-z0-9_-]{1,128})"(?:,"session":"([A-Za-z0-9_-]{1,128})")?/;

/**
 * The workspace of a letter: from the subject, which the NATS server protects, or from the entry. The body of a refused message
 * does not count, because it may name any workspace.
 */
function workspaceOf({ subject, workspace, door, body = "" }: Partial<DeadLetter>): string | undefined {
  if (workspace !== undefined) return workspace;
  const heardOn = subject ?? /^nats:(.+)$/.exec(door ?? "")?.[1];
  if (heardOn !== undefined) return subjects.workspaceIn(heardOn);
  return door === undefined ? ENTRY.exec(body)?.[1] : undefined;
}

/**
 * ROWS-DEAD-LETTERS-3. True if a letter is about a session and still has its message.
 * @param owners the first two keys of owner rows of the session's id: two keys if several workspaces have a session with this
 * id.
 */
export function isAbout(letter: Partial<DeadLetter>, home: Address, owners: readonly string[]): boolean {
  const { door, subject = "", body = "", headers } = letter;
  if (body === "") return false;
  if (door === undefined) return ENTRY.exec(body)?.slice(1).join("/") === home;
  const heardOn = subjects.readInput(subject);
  if (heardOn) return sessionAddress(heardOn.workspace, heardOn.session) === home;
  const { workspace, session } = parseAddress(home);
  const known = workspaceOf(letter) ?? headers?.[WORKSPACE_HEADER];
  if (known !== undefined && known !== workspace) return false;
  // Letters that older versions wrote do not record the session.
  const { session: named = sessionNamed(Buffer.from(body)) } = letter;
  const isAlone = owners.every((key) => key === keys.sessionOwner(session, workspace));
  return named === home || (named === session && (known !== undefined || isAlone));
}

/** The cast is safe: only the turn writes rows of letters. */
const readDeadLetter = (text: string): DeadLetter => JSON.parse(text) as DeadLetter;

/** The workspace of the letter in a row, if the letter has one. */
export const workspaceOfLetter = (row: string): string | undefined =>
  tried(() => workspaceOf(readDeadLetter(row)));

/** The letter in a row; undefined if its workspace is not among `workspaces`. */
export function letterIn(row: string, workspaces: readonly string[] | undefined): DeadLetter | undefined {
  const letter = readDeadLetter(row);
  return workspaces?.includes(workspaceOf(letter) ?? "") === false ? undefined : letter;
}

/** @returns the letter; undefined if there is no such letter, or if its workspace is not among the given ones. */
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
