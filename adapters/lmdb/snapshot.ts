// Snapshot
// Reads the content of a store and its journal as both were at one moment, while the engine goes on writing.
//
//   Owns:          reading store and journal at one version, including the redo log; cutting them into pieces.
//   Does not own:  where the pieces are stored (backup-file), writing the pieces into another folder (filling.ts).
//   Decided in:    docs/decisions/0074-a-backup-is-rows.md.
//
// LMDB-SNAPSHOT-1. Rows, redo log and journal are read in one read transaction of lmdb, so they are of one version.
// LMDB-SNAPSHOT-2. A row in a snapshot is as the last commit left it, whether it is in its table or only in the redo log.
// LMDB-SNAPSHOT-3. A snapshot leaves out rows that are true only of this store and its process: the owner, the crashed starts,
//     the entry whose turn runs, the first result that differs from the owner's, and how far each log was published.
// LMDB-SNAPSHOT-5. A row that was damaged on disk is included as unreadable, and stays unreadable in the restored store.
// LMDB-SNAPSHOT-4. The same rows give the same pieces, no matter which rows came from the redo log and which from their table.

import { join } from "node:path";
import { open, type Transaction } from "lmdb";
import { storeBusy, storeFormat } from "../../runtime/errors/errors.ts";
import type { Write } from "../../runtime/ports.ts";
import { keys } from "../../runtime/rows/keys.ts";
import { FORMAT } from "../../runtime/rows/meta.ts";
import { lookAtDataFile } from "./data-file.ts";
import { FOLDED } from "./fold.ts";
import { HEAD } from "./journal-format.ts";
import { fitsMark } from "./orderly.ts";
import { decodeRedo, encodeRedo } from "./redo-row.ts";
import { unsummed } from "./row-sum.ts";
import { processesOf, type Tables, tablesOf } from "./tables.ts";
import { Tail } from "./tail.ts";
import { EPOCH } from "./transaction.ts";
import { storeDamaged, storeLost } from "./trouble.ts";

/** The kinds of pieces. `outlets`: how far this store's outlets have published. `journal`: only the journal's head. */
export const PIECE_KINDS = ["rows", "outlets", "journal", "entries"] as const;
export type PieceKind = (typeof PIECE_KINDS)[number];

export interface Piece {
  readonly kind: PieceKind;
  /** The number of the piece within the snapshot, from 1. */
  readonly n: number;
  readonly rows: number;
  readonly bytes: Buffer;
}

export interface Snapshot {
  readonly epoch: number;
  /** About how many rows and entries the snapshot has. */
  readonly rows: number;
  row(key: string): string | undefined;
  /** @param hasJournal whether the journal is in this folder, and so gets pieces, too. */
  pieces(hasJournal: boolean): Iterable<Piece>;
  close(): Promise<void>;
}

type Texts = Iterable<readonly [key: string, text: string]>;

const OUTLETS = [keys.posted, keys.published];
const LEFT_OUT: ReadonlySet<string> = new Set([keys.starts, keys.trying, keys.differs, ...OUTLETS]);
const PIECE_CHARACTERS = 1 << 20;
const ALL = { gte: " ", lt: "\x7f" } as const;

/** @throws FatalError STORE_LOST, STORE_DAMAGED, STORE_FORMAT for a newer store; STORE_BUSY if lmdb allows no reading. */
export async function openSnapshot(dir: string): Promise<Snapshot> {
  const path = join(dir, "data.mdb");
  const look = async (isThorough: boolean): Promise<void> => {
    const found = await lookAtDataFile(path, { isThorough });
    if (found === "none") throw storeLost(path, { epoch: 0 });
    if (found !== "whole") throw storeDamaged(path, found.trouble);
  };
  await look(false);
  const root = open<string, string>({ path: dir, noSubdir: false, encoding: "string", readOnly: true });
  try {
    // If an engine in another process has the store open, that engine checked the file before it mapped it (TABLES-4). Otherwise
    // each page is checked here, unless the last owner ended in order.
    const isAlone = processesOf({ root }).every((pid) => pid === process.pid);
    if (isAlone && !(await fitsMark(dir, path))) await look(true);
    return snapshotOf(tablesOf(root), path);
  } catch (error) {
    await root.close();
    throw error instanceof TypeError ? storeBusy(dir, error) : error;
  }
}

function snapshotOf({ root, rows, entries, meta, redo, fence }: Tables, path: string): Snapshot {
  const transaction = root.useReadTransaction();
  const inIt = { transaction };
  const tail = tailOf(redo, Number(meta.get(FOLDED, inIt) ?? 0), transaction, path);
  const row = (key: string): string | undefined => {
    const late = tail.get(key);
    if (late !== undefined) return late ?? undefined;
    const stored = rows.get(key, inIt);
    return stored === undefined ? undefined : unsummed(key, stored);
  };
  checkFormat(row(keys.meta));
  const parts = (hasJournal: boolean): readonly (readonly [PieceKind, Texts])[] => [
    ["rows", without(LEFT_OUT, tail.over(rows, ALL, transaction))],
    ["outlets", these(OUTLETS, row)],
    ["journal", hasJournal ? these([HEAD], (key) => meta.get(key, inIt)) : []],
    ["entries", hasJournal ? entriesIn(entries, transaction) : []],
  ];
  return {
    epoch: fence.getEntry(EPOCH, inIt)?.version ?? 0,
    rows: countIn(rows) + countIn(entries),
    row,
    *pieces(hasJournal) {
      let n = 0;
      for (const [kind, texts] of parts(hasJournal)) {
        for (const writes of cut(texts))
          yield { kind, n: (n += 1), rows: writes.length, bytes: encodeRedo(n, writes) };
      }
    },
    async close() {
      transaction.done();
      await root.close();
    },
  };
}

/**
 * The rows in the redo log that are not in the table yet (LMDB-SNAPSHOT-2).
 * @param redo undefined in a store older than format 6.
 * @throws FatalError STORE_DAMAGED
 */
function tailOf(
  redo: Tables["redo"] | undefined,
  folded: number,
  transaction: Transaction,
  path: string,
): Tail {
  const tail = new Tail();
  let next = folded + 1;
  for (const { key, value } of redo?.getRange({ transaction }) ?? []) {
    const writes = key === next ? decodeRedo(key, value) : undefined;
    if (!writes) throw storeDamaged(path, `row ${next} of its redo log is not what was written`);
    tail.add(writes);
    next += 1;
  }
  return tail;
}

/**
 * Refuses a store of a newer format. A store of an older format is copied unchanged; the first start of the restored store
 * converts it.
 * @throws FatalError STORE_FORMAT
 */
function checkFormat(meta = "{}"): void {
  const { format } = JSON.parse(meta) as { readonly format?: unknown };
  if (typeof format === "number" && format > FORMAT) throw storeFormat(format, FORMAT);
}

/** Cuts rows into pieces. Where a piece ends depends on its rows alone (LMDB-SNAPSHOT-4). */
function* cut(texts: Texts): Generator<readonly Write[]> {
  let writes: Write[] = [];
  let characters = 0;
  for (const [put, value] of texts) {
    writes.push({ put, value });
    characters += put.length + value.length;
    if (characters < PIECE_CHARACTERS) continue;
    yield writes;
    [writes, characters] = [[], 0];
  }
  if (writes.length > 0) yield writes;
}

function* without(left: ReadonlySet<string>, texts: Texts): Generator<readonly [string, string]> {
  for (const each of texts) if (!left.has(each[0])) yield each;
}

function* these(names: readonly string[], read: (key: string) => string | undefined): Texts {
  for (const key of names) {
    const text = read(key);
    if (text !== undefined) yield [key, text];
  }
}

function* entriesIn(entries: Tables["entries"], transaction: Transaction): Texts {
  for (const { key, value } of entries.getRange({ transaction })) yield [String(key), value];
}

function countIn(table: Tables["rows"] | Tables["entries"]): number {
  const { entryCount } = table.getStats() as { readonly entryCount?: number };
  return entryCount ?? 0;
}
