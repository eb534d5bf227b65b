// Asker
// Whether one who asks, or reads an answer, asked about the call that the approval is about.
//
//   Owns:          finding what an id was used for; the refusal of whoever means something else.
//   Does not own:  the facts and their comparison (machines/asked-about), what an answer says (gate-answer).
//
// ASKER-1. An allow reaches only one whose session, run, agent, call, tool and input hash are those that the person was
//     shown the approval with.
// ASKER-2. An id that a service chose may be chosen again: whoever reads its answer says what it asked. The id of a
//     gate is random, and the gate holds the hash against its input itself: it may say nothing. What is said is
//     compared whole.

import {
  type Address,
  askBooks,
  type AskedAbout,
  contradicting,
  differing,
  type Fact,
  parseAddress,
  sessionAddress,
  type ApprovalId,
} from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { toId } from "../foreign-id.ts";
import { IdReusedError } from "../errors/id-reused.ts";
import { type Parameters, pick } from "./parameters.ts";
import type { Reader } from "./reader.ts";

/** The parameters by which one who reads an answer says what it asked. */
export const SAID = [
  "session",
  "run",
  "agent",
  "call",
  "tool",
  "inputHash",
] as const satisfies readonly (keyof AskedAbout)[];

export type Said = Partial<AskedAbout>;

/** The parameters that every reader must give. */
const NEEDED = ["session", "tool", "inputHash"] as const;

export function saidIn(given: Parameters): Said {
  const { session, ...said } = pick(given, ...SAID);
  return { ...said, ...(session !== undefined && { session: toId(session) }) };
}

/** Compares a request under a known id with what was asked before (ASKER-1). @throws IdReusedError */
export function checkAsker(reader: Reader, address: Address, id: string, now: AskedAbout): void {
  const was = askBooks.get(booksOf(reader, address), id as ApprovalId);
  refuse(id, was ? differing(was, now) : contradicting(shownBy(reader, address), now));
}

/** Holds what a reader says against what was asked. @throws IdReusedError; RefusedError BAD_PARAMETER (ASKER-2) */
export function checkReader(reader: Reader, address: Address, id: string, said: Said): void {
  const was = askBooks.get(booksOf(reader, address), id as ApprovalId);
  const missing = NEEDED.find((name) => said[name] === undefined);
  const saysNothing = SAID.every((name) => said[name] === undefined);
  if (was?.isService !== true && saysNothing) return;
  if (was && missing !== undefined) throw notSaid(id, missing);
  refuse(id, was ? differing(was, said) : contradicting(shownBy(reader, address), said));
}

function booksOf(reader: Reader, address: Address) {
  const { workspace, session } = parseAddress(address);
  return reader.books(sessionAddress(workspace, session));
}

/** What is known of an id of the engine's own, or of an older version. */
function shownBy(reader: Reader, address: Address): Partial<AskedAbout> {
  const found = reader.actor(address);
  if (found === undefined) return {};
  const { tool, inputHash } = reader.approval(found);
  const { session } = found.where;
  return { session, tool, ...(inputHash !== undefined && { inputHash }) };
}

function refuse(id: string, differs: readonly Fact[]): void {
  if (differs.length > 0) throw new IdReusedError(id, differs);
}

const notSaid = (id: string, name: string): RefusedError =>
  new RefusedError(
    "BAD_PARAMETER",
    `The parameter ${name} is missing: the answer to ${id} is told only to those who say what was asked.`,
    "Read the answer at the address that the request for approval was answered with; or say what was asked: session, tool, inputHash, and what else was named.",
    name,
  );
