// Migration
// Converts a store of an earlier format to the present format when the store is opened.
//
//   Owns:          from which formats a store is converted, what is written for each row, resuming a conversion after the process
//                  was killed.
//   Does not own:  the present format (keys), refusing unknown formats (meta).
//   Decided in:    docs/decisions/0024-stores-of-an-older-format.md.
//
// MIGRATION-1. Converting a store of format 2 adds the workspace to the owner row of each request and approval, and makes lists
//     of approvals, and of the requests of a chat, for each workspace. No other row changes.
// MIGRATION-3. Converting a store of format 3 changes only the row that names the format. The old log rows, one for each change,
//     stay until they are old enough to be removed, and are read beside this version's rows (TURN-CHANGES-2).
// MIGRATION-4. Converting a store of format 4 changes only the row that names the format. A book that has a row of its own stays
//     in that row (SESSION-RECORDS-4).
// MIGRATION-5. Converting a store of format 5 changes only the row that names the format. That row is written before the store
//     gets a redo log, because a version that writes format 5 cannot read a redo log.
// MIGRATION-2. Every step of a conversion can be repeated, and the new format is written last. Until then the store has neither
//     the old nor the new format, so no version takes it for complete, and the next start of this version resumes the conversion.

import { type Address, parseAddress } from "../../machines/index.ts";
import { decode } from "../rows/codec.ts";
import { after, keys, type Owned } from "../rows/keys.ts";
import { LISTS } from "../rows/listing.ts";
import { FORMAT } from "../rows/meta.ts";
import type { Store, Write } from "../ports.ts";

/** The text that is stored as the store's format during its conversion. @param before the format that the store had. */
const between = (before: number): string => `${before} on its way to ${FORMAT}`;
/** The note of an unfinished conversion, by this version or an earlier one. */
const BETWEEN = /^(\d+) on its way to (\d+)$/;
/** How many rows one commit of the conversion reads; it writes at most twice as many. */
const ROWS_AT_ONCE = 1_000;
const TOLD_EVERY = 100_000;

export interface Migrating {
  readonly from: number;
  readonly to: number;
  /** How many rows this start has read. */
  readonly rows: number;
  readonly isDone: boolean;
}

interface Tell {
  readonly progress: (migrating: Migrating) => void;
  /** Called for a row that cannot be read. The conversion leaves this row as it is. */
  readonly broken: (key: string, cause: unknown) => void;
}

/**
 * One step of the conversion: the rows under a prefix, and what is written for each row. `rest` is the row's key after the
 * prefix; `address` is the row's value.
 */
interface Step {
  readonly prefix: string;
  readonly writes: (rest: string, address: Address, text: string) => readonly Write[];
}

/** Converts a row's key. In an old key only the id follows the prefix; in a new key the workspace follows the id. */
const moved = (kind: Owned): Step => ({
  prefix: keys.allOwners(kind),
  writes(id, address, value) {
    if (id.includes("/")) return [];
    const { workspace } = parseAddress(address);
    return [{ put: keys.owner(kind, id, workspace), value }, { del: keys.allOwners(kind) + id }];
  },
});

/** Copies each row of a list into the list of the row's workspace. All these lists are in order of time. */
function again(list: readonly string[], ofWorkspace: (workspace: string, name: string) => readonly string[]) {
  const writes: Step["writes"] = (rest, address, value) => {
    const { workspace } = parseAddress(address);
    const timed = rest.slice(0, -address.length - 1);
    const [at, name = ""] = timed.split("/").reverse();
    return [{ put: keys.listed(ofWorkspace(workspace, name), Number(at), address), value }];
  };
  return { prefix: keys.list(list), writes } satisfies Step;
}

const STEPS: Readonly<Record<number, readonly Step[]>> = {
  2: [
    moved("request"),
    moved("approval"),
    again(["approval", "all"], (workspace) => ["approval", "workspace", workspace]),
    again(["request", "chat"], LISTS.requestsOfChatNamed),
  ],
  3: [],
  4: [],
  5: [],
};

/** The format from which a store was, or is to be, converted; undefined if it cannot be converted. */
function formatBefore(format: unknown): number | undefined {
  const [, from, to = FORMAT] = BETWEEN.exec(String(format)) ?? [];
  return Object.keys(STEPS)
    .map(Number)
    .find((before) => before === (from === undefined ? format : Number(from)) && Number(to) <= FORMAT);
}

/**
 * Converts a store of an earlier format to this one; leaves every other store as it is.
 * @throws what `commit` throws; the next start resumes where the conversion ended.
 */
export async function migrate(store: Store, tell: Tell): Promise<void> {
  const text = store.get(keys.meta);
  if (text === undefined) return;
  // In every version, the meta row names the format of the store.
  const meta = decode(keys.meta, text) as { readonly format?: unknown };
  const from = formatBefore(meta.format);
  if (from === undefined) return;
  const mark = (format: unknown): Promise<void> =>
    store.commit([{ put: keys.meta, value: JSON.stringify({ ...meta, format }) }]);
  const steps = STEPS[from] ?? [];
  // If an earlier version began the migration, the store gets a new mark, so that the earlier version does not use a store with a
  // redo log.
  if (steps.length > 0 && meta.format !== between(from)) await mark(between(from));
  let rows = 0;
  const told = (isDone: boolean): void => tell.progress({ from, to: FORMAT, rows, isDone });
  for (const step of steps) {
    for await (const count of taken(store, step, tell)) {
      if (Math.floor((rows + count) / TOLD_EVERY) > Math.floor(rows / TOLD_EVERY)) told(false);
      rows += count;
    }
  }
  await mark(FORMAT);
  told(true);
}

/** Runs one step of the migration in several commits. After each commit it yields how many rows the commit changed. */
async function* taken(store: Store, { prefix, writes }: Step, tell: Tell): AsyncGenerator<number> {
  for (let gte = prefix; ;) {
    const rows = [...store.range({ gte, lt: after(prefix), limit: ROWS_AT_ONCE })];
    const last = rows.at(-1);
    if (!last) return;
    const wanted = rows.flatMap(([key, text]) => {
      try {
        return writes(key.slice(prefix.length), decode(key, text) as Address, text);
      } catch (cause) {
        tell.broken(key, cause);
        return [];
      }
    });
    if (wanted.length > 0) await store.commit(wanted);
    yield rows.length;
    // The next read begins at the first key that can come after the last key read: that key with a space at its end.
    gte = `${last[0]} `;
  }
}
