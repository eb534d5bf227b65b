// Log writer
// Appends leaves to a log's files, and signs the new state.
//
//   Owns:          the tree's right edge in memory, the order of writing, cleaning up after a crash.
//   Does not own:  which leaves there are (audit-log.ts), the forms (runtime/tlog), durable files (files.ts).
//
// A tile is a file with up to 256 hashes of the Merkle tree, a bundle a file with up to 256 entries or openings. The right edge
// of the tree is its last, unfilled tiles.
//
// LOG-WRITER-1. Openings are written first, then entries, tiles and the checkpoint: all that a checkpoint signs is on disk
//     before the checkpoint.
// LOG-WRITER-2. A checkpoint is signed only if a consistency proof leads to it from the checkpoint on disk. So there are never
//     two trees of one size, and no tree gets smaller.
// LOG-WRITER-3. After a crash, everything after the checkpoint counts as not written.
// LOG-WRITER-4. After an error, a writer refuses further work: a new writer must read the files again.

import type { Leaf } from "../../runtime/audit/entry.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { bundleOf, entriesIn } from "../../runtime/tlog/bundles.ts";
import { type Checkpoint, openedCheckpoint, signedCheckpoint } from "../../runtime/tlog/checkpoint.ts";
import { EMPTY_ROOT, HASH_BYTES, leafHash } from "../../runtime/tlog/hashes.ts";
import type { Signer } from "../../runtime/tlog/note.ts";
import { rootIn, subtreesOf, TILE_WIDTH, tilePath, tilesOf, widthOf } from "../../runtime/tlog/tiles.ts";
import { consistencyProof, rootOf, rootsByConsistency } from "../../runtime/tlog/tree.ts";
import { CHECKPOINT, type LogFiles, openingsPath, piecePath, PUBLIC } from "./files.ts";

/** How many tiles before the right edge are searched for old files of unfilled tiles, which a crash kept from being removed. */
const TIDIED = 20;

export class LogWriter {
  readonly #files: LogFiles;
  readonly #signer: Signer;
  #head: Checkpoint;
  /** The unfilled tiles at the tree's right edge, and the tiles that an append fills, by level and number. */
  readonly #tiles = new Map<string, Buffer>();
  #entries: readonly Buffer[];

  private constructor(files: LogFiles, signer: Signer, head: Checkpoint, entries: readonly Buffer[]) {
    this.#files = files;
    this.#signer = signer;
    this.#head = head;
    this.#entries = entries;
  }

  /** Opens the log, or begins one if there is none. @throws RefusedError AUDIT_LOG_DIFFERS; the system's error. */
  static async open(files: LogFiles, signer: Signer): Promise<LogWriter> {
    if (!(await files.read(CHECKPOINT))) {
      if ((await files.names(PUBLIC)).includes("tile")) throw differs("its checkpoint is gone");
      await files.write(CHECKPOINT, signedCheckpoint(0, EMPTY_ROOT, signer));
    }
    const head = await headIn(files, signer);
    const width = head.size % TILE_WIDTH;
    const n = Math.floor(head.size / TILE_WIDTH);
    const bundle = width === 0 ? Buffer.alloc(0) : await files.read(piecePath("entries", n, width));
    const writer = new LogWriter(files, signer, head, bundle ? entriesIn(bundle) : []);
    await writer.#readEdge();
    await writer.#cutOpenings(n, width);
    await writer.#tidy(head.size, TIDIED);
    return writer;
  }

  get size(): number {
    return this.#head.size;
  }

  /** @returns the signed checkpoint, once the leaves and the checkpoint are on disk. @throws as `open` does (LOG-WRITER-4). */
  async append(leaves: readonly Leaf[]): Promise<string> {
    const { size: old } = this.#head;
    const size = old + leaves.length;
    await this.#writeOpenings(leaves);
    await this.#writeEntries(leaves);
    const made = this.#grown(leaves);
    for (const { level, n, width } of made)
      await this.#files.write(piecePath(level, n, width), this.#tile(level, n));
    const root = rootOf(
      size,
      subtreesOf((level, n) => this.#tile(level, n)),
    );
    await this.#checkGrown(size, root);
    const note = signedCheckpoint(size, root, this.#signer);
    await this.#files.write(CHECKPOINT, note);
    this.#head = { ...this.#head, size, root };
    await this.#tidy(old);
    this.#forget();
    return note;
  }

  async #writeOpenings(leaves: readonly Leaf[]): Promise<void> {
    for (const [n, place, some] of byBundle(this.#head.size, leaves)) {
      const text = some.map(({ opening }) => `${opening}\n`).join("");
      if (place === 0) await this.#files.write(openingsPath(n), text);
      else await this.#files.append(openingsPath(n), text);
    }
  }

  async #writeEntries(leaves: readonly Leaf[]): Promise<void> {
    for (const [n, , some] of byBundle(this.#head.size, leaves)) {
      this.#entries = [...this.#entries, ...some.map(({ entry }) => Buffer.from(entry))];
      await this.#files.write(piecePath("entries", n, this.#entries.length), bundleOf(this.#entries));
      if (this.#entries.length === TILE_WIDTH) this.#entries = [];
    }
  }

  /** Adds the leaves to the tiles in memory. @returns the tiles that changed. */
  #grown(leaves: readonly Leaf[]) {
    const { size: old } = this.#head;
    const size = old + leaves.length;
    const changed = [...tilesOf(size, old)];
    let hashes = leaves.map(({ entry }) => leafHash(Buffer.from(entry)));
    for (let level = 0; hashes.length > 0; level += 1) {
      const above: Buffer[] = [];
      for (const [n, place, some] of byBundle(widthOf(level, old), hashes)) {
        const tile = Buffer.concat([...(place === 0 ? [] : [this.#tile(level, n)]), ...some]);
        this.#tiles.set(`${level}/${n}`, tile);
        if (tile.length === TILE_WIDTH * HASH_BYTES) above.push(rootIn(tile));
      }
      hashes = above;
    }
    return changed;
  }

  /** Checks that the new tree continues the tree on disk (LOG-WRITER-2). */
  async #checkGrown(size: number, root: Buffer): Promise<void> {
    const kept = await headIn(this.#files, this.#signer);
    if (kept.size === 0 && this.#head.size === 0) return;
    const at = subtreesOf((level, n) => this.#tile(level, n));
    const isSame = kept.size === this.#head.size && kept.size < size;
    const roots = isSame ? rootsByConsistency(kept, size, consistencyProof(kept.size, size, at)) : undefined;
    if (!roots?.old.equals(kept.root) || !roots.now.equals(root))
      throw differs("its checkpoint was replaced");
  }

  #tile(level: number, n: number): Buffer {
    const tile = this.#tiles.get(`${level}/${n}`);
    if (tile) return tile;
    throw differs(`${tilePath(level, n)} is missing`);
  }

  async #readEdge(): Promise<void> {
    const { size, root } = this.#head;
    for (let level = 0; widthOf(level, size) > 0; level += 1) {
      const width = widthOf(level, size) % TILE_WIDTH;
      const n = Math.floor(widthOf(level, size) / TILE_WIDTH);
      if (width === 0) continue;
      const tile = await this.#files.read(piecePath(level, n, width));
      if (tile?.length !== width * HASH_BYTES) throw differs(`${tilePath(level, n, width)} is not whole`);
      this.#tiles.set(`${level}/${n}`, tile);
    }
    const hashes = Buffer.concat(this.#entries.map(leafHash));
    const edge = this.#tiles.get(`0/${Math.floor(size / TILE_WIDTH)}`) ?? Buffer.alloc(0);
    const made = rootOf(
      size,
      subtreesOf((level, n) => this.#tile(level, n)),
    );
    if (!hashes.equals(edge) || !made.equals(root))
      throw differs("its content does not match the signed root");
  }

  /** Cuts off the openings that were written after the checkpoint (LOG-WRITER-3). */
  async #cutOpenings(n: number, width: number): Promise<void> {
    if (width === 0) return;
    const text = (await this.#files.read(openingsPath(n))) ?? Buffer.alloc(0);
    let end = 0;
    for (let line = 0; line < width; line += 1) {
      end = text.indexOf("\n", end) + 1;
      if (end === 0) throw differs(`${openingsPath(n)} is not whole`);
    }
    if (end < text.length) await this.#files.cut(openingsPath(n), end);
  }

  /** Removes the files of tiles and bundles of an earlier size of the log, or of a larger size that was never signed. */
  async #tidy(old: number, behind = 0): Promise<void> {
    const { size } = this.#head;
    for (let level = 0; widthOf(level, size) > 0; level += 1) {
      const last = Math.floor(widthOf(level, size) / TILE_WIDTH);
      const first = Math.max(0, Math.floor(widthOf(level, old) / TILE_WIDTH) - behind);
      for (const kind of level === 0 ? (["entries", 0] as const) : [level])
        for (let n = first; n <= last; n += 1)
          await this.#tidyPiece(piecePath(kind, n), n === last ? widthOf(level, size) % TILE_WIDTH : 0);
    }
  }

  async #tidyPiece(path: string, width: number): Promise<void> {
    if (width === 0) return this.#files.remove(`${path}.p`);
    for (const name of await this.#files.names(`${path}.p`))
      if (name !== String(width)) await this.#files.remove(`${path}.p/${name}`);
  }

  #forget(): void {
    const { size } = this.#head;
    for (const name of this.#tiles.keys()) {
      const [level = 0, n = 0] = name.split("/").map(Number);
      if ((n + 1) * TILE_WIDTH <= widthOf(level, size)) this.#tiles.delete(name);
    }
  }
}

/** @throws RefusedError AUDIT_LOG_DIFFERS */
async function headIn(files: LogFiles, signer: Signer): Promise<Checkpoint> {
  const note = (await files.read(CHECKPOINT))?.toString() ?? "";
  try {
    return openedCheckpoint(note, signer);
  } catch {
    throw differs("its checkpoint is not signed by its key");
  }
}

/** Groups items by the bundle that they belong to. @param from how many items the log had before. */
function* byBundle<T>(
  from: number,
  items: readonly T[],
): Generator<readonly [n: number, place: number, some: readonly T[]]> {
  for (let done = 0; done < items.length;) {
    const place = (from + done) % TILE_WIDTH;
    const some = items.slice(done, done + TILE_WIDTH - place);
    yield [Math.floor((from + done) / TILE_WIDTH), place, some];
    done += some.length;
  }
}

const differs = (why: string): RefusedError =>
  new RefusedError(
    "AUDIT_LOG_DIFFERS",
    `The audit log was changed after it was written: ${why}.`,
    "`npx signalbox audit verify` shows what was changed. Put the folder `audit` back from a copy; or stop the engine and move that folder away as evidence: a new log with a new key begins.",
  );
