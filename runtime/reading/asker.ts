// Asker
// Checks that a caller who requests an approval again, or reads its answer, means the call for which the approval's id was first
// used.
//
//   Owns:          finding the call that an approval id was used for; refusing a caller that asked about another call.
//   Does not own:  the facts that are compared (machines/matching/asked-about), the content of an answer (gate-answer).
//
// ASKER-1. A caller gets the answer "allow" only if the session, run, agent, call, tool and input hash that it gives agree with
//     the request for approval to which the answer was given.
// ASKER-2. A service chooses its own approval ids, and may choose the same id twice. So a service must name the call when it
//     reads the answer. The id that a gate uses is random, and the gate compares the input hash of the answer with its call, so
//     a gate need not name the call. If a caller gives any facts of a call, all facts must agree with those of the first
//     request.

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

/** The parameters with which a waiting caller names the call for which it requested the approval. */
export const SAID = [
  "session",
  "run",
  "agent",
  "call",
  "tool",
  "inputHash",
] as const satisfies readonly (keyof AskedAbout)[];

export type Said = Partial<AskedAbout>;

/** The parameters that a caller must give if it gives any of `SAID`. */
const NEEDED = ["session", "tool", "inputHash"] as const;

export function saidIn(given: Parameters): Said {
  const { session, ...said } = pick(given, ...SAID);
  return { ...said, ...(session !== undefined && { session: toId(session) }) };
}

/** Compares a request under a known approval id with the first request under that id (ASKER-1). @throws IdReusedError */
export function checkAsker(reader: Reader, address: Address, id: string, now: AskedAbout): void {
  const was = askBooks.get(booksOf(reader, address), id as ApprovalId);
  refuse(id, was ? differing(was, now) : contradicting(shownBy(reader, address), now));
}

/** Compares the call that a caller names with the approval's call. @throws IdReusedError; RefusedError BAD_PARAMETER (ASKER-2) */
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

/**
 * What an approval shows of its call. Used for ids whose first request is not stored: the engine's own ids, and ids in older
 * stores.
 */
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
    `The engine does not show the answer to the approval ${id}, because the query lacks the parameter ${name}.`,
    "Read the answer at the address in the response to the request for approval. Or name the call of that request: session, tool and inputHash, and also run, agent and call if the request has them.",
    name,
  );
