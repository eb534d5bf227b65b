// Forget door
// Removes the content of a session that a person wants forgotten.
//
//   Owns:          finding what remains of a session, piece by piece; removing the session's blobs; reporting which copies
//                  remain, and until when.
//   Does not own:  what remains of each row (turn/forgetting), the clients' own files, copies of the data folder.
//   Decided in:    docs/decisions/0087-what-forgetting-leaves.md.
//
// FORGET-DOOR-1. The door itself knows the name of the person who has a session forgotten, and never takes this name from the
//     body of the message.
// FORGET-DOOR-2. One request removes a bounded part of the session, and the answer says whether more remains. The next request
//     goes on with the rest, also after a crash. A blob that a crash left behind is removed once it is old enough.
// FORGET-DOOR-3. With `now` the request also removes the changes and the journal entries of all sessions up to now, because a log
//     can only be cut off up to one position, not by session.
// FORGET-DOOR-4. In the audit log the session's entries and their proofs remain, and their content is removed (AUDIT-LOG-5).
// FORGET-DOOR-5. The result names each known backup that was made since the session began, because such a backup still contains
//     the session.
// FORGET-DOOR-6. Rows of the store are removed by age, but the audit log keeps their content: a session that is only in the audit
//     log can be forgotten, too, if the request names its workspace.

import { z } from "zod";
import { type Address, defined, isId, parseAddress } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import { RefusedError } from "../errors/errors.ts";
import type { OwnMessage } from "../message.ts";
import type { BlobSweep } from "../reading/blob-sweep.ts";
import { oneWithin } from "../workspace-reach.ts";
import { findSession } from "../reading/lookup.ts";
import { Reader } from "../reading/reader.ts";
import { type TraceCounts, tracesOf } from "../reading/traces.ts";
import type { Ledger } from "../rows/ledger.ts";
import { keys } from "../rows/keys.ts";
import type { Caller, Door } from "./door.ts";
import { ID_RULE, readBody } from "./schemas.ts";

export const FORGETTING = z.strictObject({
  workspace: z.string().refine(isId, ID_RULE).exactOptional(),
  /** True if nothing must be removed: the reply only counts what would be removed. */
  check: z.boolean().exactOptional(),
  now: z.boolean().exactOptional(),
});

export interface Forgotten extends TraceCounts {
  readonly workspace: string;
  readonly sessionId: string;
  readonly blobs: number;
  /** How many openings were removed. Each opening is the content of one entry of the audit log. */
  readonly openings: number;
  /** True if not everything is removed yet, so that another request is needed. */
  readonly more: boolean;
  /** Until this time, ms, the change log and the journal may still contain content of the session. */
  readonly heldUntil?: number;
  /** The backups that still contain the session. A backup's file may have been moved. */
  readonly backups?: readonly MadeBackup[];
  /** How many changes and journal entries were removed because the request had `now`. */
  readonly changes?: number;
  readonly journalEntries?: number;
}

export interface ForgetDoorOptions {
  readonly engine: Engine;
  readonly door: Door;
  readonly blobs: Pick<BlobSweep, "dropUnnamed">;
  /** Counts the rows with content in the audit log, or removes their content; absent without an audit log. */
  readonly audit?: {
    count(isCounted: (row: AuditedOf) => boolean): Promise<number>;
    /** @returns how many. */
    erase(isErased: (row: AuditedOf) => boolean): Promise<number>;
  };
  /** Lists the known backups; without this function, none is known. @throws RefusedError for a list that cannot be read. */
  readonly backups?: () => Promise<readonly MadeBackup[]>;
}

interface MadeBackup {
  readonly file: string;
  readonly at: number;
}

interface AuditedOf {
  readonly workspace?: string;
  readonly sessionId?: string;
}

const PIECES_AT_ONCE = 25;
const ROWS_AT_ONCE = 500;

export class ForgetDoor {
  readonly #options: ForgetDoorOptions;

  constructor(options: ForgetDoorOptions) {
    this.#options = options;
  }

  /**
   * @throws RefusedError NOT_FOUND, SESSION_OPEN, the fault in the body (with a dead letter); AmbiguousError for an id of several
   *   workspaces; RetryableError if not ready.
   */
  async forget(id: string, sent: Uint8Array, { door, by, reach }: Caller): Promise<Forgotten> {
    const { engine, blobs, audit } = this.#options;
    const { refusals } = this.#options.door;
    const said = await refusals.refusing({ door, by, body: sent }, () => readBody(FORGETTING, sent));
    const { now = false, check = false, ...named } = said;
    const within = defined({ workspace: oneWithin(reach, named.workspace) });
    if (now && reach) throw cutsAll();
    const home = findSession(new Reader(engine.store), id, within);
    if (!home) throw unknown(id);
    const { workspace, session } = parseAddress(home);
    const before = await tracesOf(engine.store, home);
    const isKnown = sum(before.counts) > 0 || engine.store.get(keys.ledger(home)) !== undefined;
    const isItsRow = (row: AuditedOf): boolean => row.workspace === workspace && row.sessionId === session;
    // FORGET-DOOR-6
    const logged = isKnown ? 0 : ((await audit?.count(isItsRow)) ?? 0);
    if (!isKnown && logged === 0) throw unknown(id);
    const told = { workspace, sessionId: id, backups: await this.#holding(home) };
    const none = { blobs: 0, openings: logged, more: sum(before.counts) > 0 };
    if (check) return { ...told, ...before.counts, ...none, ...this.#held() };
    let left = before;
    for (let pieces = 0; pieces < PIECES_AT_ONCE; pieces += 1) {
      await this.#piece(home, left.rows.slice(0, ROWS_AT_ONCE), { door, by }, sent);
      // While the session has actors, each piece removes some, and a removed approval leaves a row behind (past approvals). So
      // the remaining rows are looked for only once no actor is left.
      const hasActors = engine.store.get(keys.actor(home)) !== undefined;
      left = hasActors ? { ...left, rows: [] } : await tracesOf(engine.store, home);
      if (!hasActors && left.rows.length === 0) break;
    }
    const after =
      left.rows.length === 0 && sum(left.counts) === 0 ? left : await tracesOf(engine.store, home);
    const dropped = await blobs.dropUnnamed(before.hashes);
    const openings = (await audit?.erase(isItsRow)) ?? 0;
    const more = sum(after.counts) > 0;
    const went = { ...told, ...difference(before.counts, after.counts), blobs: dropped, openings, more };
    if (!now || more) return { ...went, ...this.#held() };
    const { changes, journalEntries } = await engine.retention.letGo();
    return { ...went, changes, journalEntries };
  }

  /**
   * FORGET-DOOR-5. The backups that may contain the session. If the session was removed before, its beginning is unknown, so
   * all known backups are returned.
   */
  async #holding(home: Address): Promise<readonly MadeBackup[]> {
    const { engine, backups } = this.#options;
    const reader = new Reader(engine.store);
    const found = reader.actor(home);
    const { removedAt } = (reader.row(keys.ledger(home)) as Ledger | undefined) ?? {};
    const began = found && removedAt === undefined ? reader.session(found).createdAt : 0;
    return ((await backups?.()) ?? []).filter(({ at }) => at >= began);
  }

  /**
   * When all present changes and journal entries will have been removed, and with them those of the session. To find only the
   * session's, the engine would have to read all logs.
   */
  #held(): { readonly heldUntil: number } {
    const { at, configuration } = this.#options.engine.meta();
    return { heldUntil: at + configuration.changesKeptMs };
  }

  async #piece(home: Address, rows: readonly string[], caller: Caller, sent: Uint8Array): Promise<void> {
    const { workspace, session } = parseAddress(home);
    const said = { type: "session.forgotten", rows, by: caller.by } as const;
    const message: OwnMessage = { door: "own", workspace, session, said };
    const { outcome, reason = "it was not applied" } = await this.#options.door.own(message, sent, caller);
    if (outcome === "applied") return;
    throw new RefusedError(
      "SESSION_OPEN",
      `The session ${session} cannot be forgotten now: ${reason}.`,
      "Try to forget the session again later. A session that sends nothing for a day ends by itself.",
    );
  }
}

const sum = ({ actors, pastApprovals, auditRows, deadLetters }: TraceCounts): number =>
  actors + pastApprovals + auditRows + deadLetters;

/**
 * How many rows were removed. Past approvals count only if they existed before: the removal of the session's approvals makes
 * new ones, which are removed as well.
 */
const difference = (before: TraceCounts, after: TraceCounts): TraceCounts => ({
  actors: before.actors - after.actors,
  pastApprovals: Math.max(0, before.pastApprovals - after.pastApprovals),
  auditRows: before.auditRows - after.auditRows,
  deadLetters: before.deadLetters - after.deadLetters,
});

const cutsAll = (): RefusedError =>
  new RefusedError(
    "NOT_ALLOWED",
    "`now` removes old log entries of all workspaces, but this token is not valid in all of them.",
    "Leave `now` out, or ask the operator of the engine to remove the old entries.",
    "now",
  );

const unknown = (id: string): RefusedError =>
  new RefusedError(
    "NOT_FOUND",
    `The engine knows no session ${id}.`,
    "`npx signalbox ls` lists the sessions. If the session was removed, also name its workspace.",
    "id",
  );
