// Filling
// Writes the pieces of a store snapshot into a new store.
//
//   Owns:          which table each piece belongs to.
//   Does not own:  making the pieces (snapshot.ts), which folders may be filled, when a folder is complete (composition/backup).
//
// LMDB-FILLING-1. Each piece of the snapshot is on disk before the next one is read. Of a damaged piece, no part is written.

import type { Write } from "../../runtime/ports.ts";
import { checkWrites } from "../../runtime/writes.ts";
import { Environment, type EnvironmentOptions } from "./environment.ts";
import { placed } from "./fold.ts";
import { decodeRedo } from "./redo-row.ts";
import type { Piece, PieceKind } from "./snapshot.ts";
import type { Put } from "./transaction.ts";
import { storeDamaged } from "./trouble.ts";

export interface Filling {
  readonly epoch: number;
  put(piece: Omit<Piece, "rows">): Promise<void>;
  close(): Promise<void>;
}

interface FillingOptions extends Required<Pick<EnvironmentOptions, "after" | "markOf">> {
  /** The text that a row gets in the new store. */
  readonly textOf?: (key: string, text: string) => string;
}

/** @param after the epoch of the store that the pieces come from. @throws as `Environment.takeOver` does. */
export async function fillLmdb(
  dir: string,
  { after, markOf, textOf = (_, text) => text }: FillingOptions,
): Promise<Filling> {
  const environment = new Environment(dir, { after, markOf });
  const epoch = await environment.takeOver();
  return {
    epoch,
    async put({ kind, n, bytes }) {
      const writes = decodeRedo(n, bytes);
      if (!writes) throw storeDamaged(dir, `piece ${n} is not what was written`);
      checkWrites(writes);
      await environment.write(writes.map(putIn(kind, textOf)));
    },
    close: () => environment.close(),
  };
}

const putIn =
  (kind: PieceKind, textOf: Required<FillingOptions>["textOf"]) =>
  (write: Write): Put => {
    if (!("put" in write)) return placed(write);
    const { put: key, value: text } = write;
    if (kind === "rows" || kind === "outlets") return placed({ put: key, value: textOf(key, text) });
    return kind === "entries" ? { table: "entries", key: Number(key), text } : { table: "meta", key, text };
  };
