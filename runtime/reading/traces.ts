// Traces
// Finds the rows that hold content of a session, apart from its changes, so that forgetting the session can report them.
//
//   Owns:          finding and counting these rows.
//   Does not own:  removing the rows (turn/forgetting).
//
// TRACES-1. The search covers every table that can hold content of a session. It leaves out changes, which are removed by age.
//     Ids, counts and deadlines are not content.

import { type Address, parseAddress } from "../../machines/index.ts";
import { eachRow } from "../engine/measuring.ts";
import type { Store } from "../ports.ts";
import { wholeLetter } from "../rows/dead-letters.ts";
import { keys } from "../rows/keys.ts";
import { isOf } from "../turn/forgetting.ts";

export interface TraceCounts {
  /** How many rows the session itself, its requests, calls and approvals have. */
  readonly actors: number;
  readonly pastApprovals: number;
  readonly auditRows: number;
  readonly deadLetters: number;
}

export interface Traces {
  readonly counts: TraceCounts;
  /** The keys of the rows that are not removed together with the actors. */
  readonly rows: readonly string[];
  /** The hashes in the session's rows. Some of them name blobs. */
  readonly hashes: ReadonlySet<string>;
}

const HASHES = /[0-9a-f]{64}/g;

/** Finds the rows of a session. Other work runs between pages of rows. */
export async function tracesOf(store: Pick<Store, "get" | "range">, home: Address): Promise<Traces> {
  const { workspace, session } = parseAddress(home);
  const hashes = new Set<string>();
  const rows: string[] = [];
  const look = async (prefix: string, isOurs: (key: string, text: string) => boolean): Promise<number> => {
    let found = 0;
    await eachRow(store, prefix, goingOn, (key, text) => {
      if (!isOurs(key, text)) return;
      found += 1;
      for (const [name] of text.matchAll(HASHES)) hashes.add(name);
      if (!key.startsWith(keys.actors) && !key.startsWith(keys.allBooks)) rows.push(key);
    });
    return found;
  };
  const own = store.get(keys.actor(home)) === undefined ? 0 : 1;
  const actors = own + (await look(`${keys.actor(home)}/`, always));
  await look(keys.books(home), always);
  const counts = {
    actors,
    pastApprovals: await look(keys.pastApprovals, (key) => {
      const [of, its] = key.split("/").slice(2);
      return of === workspace && its === session;
    }),
    auditRows: await look(keys.audits, (_key, text) => isAuditOf(text, workspace, session)),
    deadLetters: await look(keys.deads, (_key, text) => isLetterOf(text, home)),
  };
  return { counts, rows, hashes };
}

const goingOn = (): boolean => false;
const always = (): boolean => true;

/** True if an audit row is of this session and has its content. Quotes in an input are escaped, so no input looks like a row. */
const isAuditOf = (text: string, workspace: string, session: string): boolean =>
  text.includes(`"workspace":"${workspace}","sessionId":"${session}"`) && !text.includes('"forgotten":true');

function isLetterOf(text: string, home: Address): boolean {
  try {
    return isOf(wholeLetter(text).body, home);
  } catch {
    return false;
  }
}
