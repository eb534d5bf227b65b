// LMDB store
// The engine's rows on disk.
//
//   Owns:          turning the port's writes and ranges into lmdb's.
//   Does not own:  transactions, the fence, failure (environment.ts); the rows' content.

import type { Range, Store, Write } from "../../runtime/ports.ts";
import { checkWrites } from "../../runtime/writes.ts";
import type { Environment } from "./environment.ts";

export class LmdbStore implements Store {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  open(): Promise<number> {
    return this.#environment.takeOver();
  }

  get(key: string): string | undefined {
    return this.#environment.tables.rows.get(key);
  }

  /**
   * The rows as of the start of the reading. Read to the end or leave the loop: a stalled reader keeps old pages alive.
   */
  *range({ gte, lt, limit, reverse }: Range): Iterable<readonly [key: string, value: string]> {
    const { rows } = this.#environment.tables;
    if (gte >= lt || limit === 0) return;
    const bounds = reverse
      ? { start: lt, exclusiveStart: true, end: gte, inclusiveEnd: true, reverse: true }
      : { start: gte, end: lt };
    for (const { key, value } of rows.getRange(limit === undefined ? bounds : { ...bounds, limit })) {
      yield [key, value];
    }
  }

  async commit(writes: readonly Write[]): Promise<void> {
    checkWrites(writes);
    await this.#environment.write(
      writes.map((write) =>
        "put" in write
          ? { table: "rows", key: write.put, text: write.value }
          : { table: "rows", key: write.del },
      ),
    );
  }

  close(): Promise<void> {
    return this.#environment.close();
  }
}
