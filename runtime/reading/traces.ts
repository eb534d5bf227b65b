// Traces
// Finds the rows, other than changes, that contain content of a session, so that the engine can report and remove them when the
// session is forgotten.
//
//   Owns:          finding and counting the rows that contain content of a session.
//   Does not own:  removing the rows (turn/forgetting).
//
// TRACES-1. The search covers every table that can contain content of a session, except the table of changes: sweeps remove each
//     change once it is old enough. Ids, counts and deadlines are not content.

import { type Address, parseAddress } from "../../machines/index.ts";
import { eachRow } from "../engine/measuring.ts";
import type { StoredRows } from "../rows/row-pages.ts";
import { isAbout, wholeLetter } from "../rows/dead-letters.ts";
import { after, keys } from "../rows/keys.ts";

export interface TraceCounts {
  /** How many rows the session itself, its requests, calls and approvals have. */
  readonly actors: number;
  readonly pastApprovals: number;
  readonly auditRows: number;
  readonly deadLetters: number;
}

export interface Traces {
  readonly counts: TraceCounts;
  /**
   * The keys of those rows of the session that are not removed together with its actors, so that they must be removed by name.
   */
  readonly rows: readonly string[];
  /** The hashes in the session's rows. Some of these hashes name blobs. */
  readonly hashes: ReadonlySet<string>;
}

const HASHES = /[0-9a-f]{64}/g;

/** Finds the rows of a session. Other work runs between pages of rows. */
export async function tracesOf(store: StoredRows, home: Address): Promise<Traces> {
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
  const prefix = keys.sessionOwners(session);
  const owners = Array.from(store.range({ gte: prefix, lt: after(prefix), limit: 2 }), ([key]) => key);
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
    deadLetters: await look(keys.deads, (_key, text) => isLetterOf(text, home, owners)),
  };
  return { counts, rows, hashes };
}

const goingOn = (): boolean => false;
const always = (): boolean => true;

/**
 * True if an audit row belongs to this session and has content of it. Quotes in an input are escaped in the row's text, so no
 * input looks like the searched fields.
 */
const isAuditOf = (text: string, workspace: string, session: string): boolean =>
  text.includes(`"workspace":"${workspace}","sessionId":"${session}"`) && !text.includes('"forgotten":true');

function isLetterOf(text: string, home: Address, owners: readonly string[]): boolean {
  try {
    return isAbout(wholeLetter(text), home, owners);
  } catch {
    return false;
  }
}
