// Migration
// A store laid out by the version before, brought to this one's layout when it is opened.
//
//   Owns:          from which layout to which, what is written for each row, going on after a kill.
//   Does not own:  the layout (keys), refusing every other one (meta).
//   Decided in:    docs/decisions/0024-stores-of-an-older-format.md.
//
// MIGRATION-1. From format 2 to 3: an owner row of a request or an approval names its workspace, and a workspace has
//     lists of its own for approvals and for the requests of a chat. No other row changes.
// MIGRATION-2. Every step may be taken twice, and the format is written last. Meanwhile it is neither: no version takes
//     the half for a whole, and the next start of this one goes on.

import { type Address, parseAddress } from "../../machines/index.ts";
import { decode } from "../rows/codec.ts";
import { after, keys, type Owned } from "../rows/keys.ts";
import { LISTS } from "../rows/listing.ts";
import { FORMAT } from "../rows/meta.ts";
import type { Store, Write } from "../ports.ts";

const BEFORE = 2;
const BETWEEN = `${BEFORE} on its way to ${FORMAT}`;
/** Read, and at most so many times two written, in one commit. */
const ROWS_AT_ONCE = 1_000;
const TOLD_EVERY = 100_000;

/** How far a store has come. */
export interface Migrating {
  readonly from: number;
  readonly to: number;
  /** Looked at by this start. */
  readonly rows: number;
  readonly isDone: boolean;
}

interface Tell {
  readonly progress: (migrating: Migrating) => void;
  /** Of a row that cannot be read: it stays as it is. */
  readonly broken: (key: string, cause: unknown) => void;
}

/** Rows under a prefix, and what is written for each. `rest` is the key behind the prefix, `address` what the row holds. */
interface Step {
  readonly prefix: string;
  readonly writes: (rest: string, address: Address, text: string) => readonly Write[];
}

/** An id is behind the prefix alone; one that was moved has its workspace behind it. */
const moved = (kind: Owned): Step => ({
  prefix: keys.allOwners(kind),
  writes(id, address, value) {
    if (id.includes("/")) return [];
    const { workspace } = parseAddress(address);
    return [{ put: keys.owner(kind, id, workspace), value }, { del: keys.allOwners(kind) + id }];
  },
});

/** Rows of a list again in the list of their workspace: both are by time. */
function again(list: readonly string[], ofWorkspace: (workspace: string, name: string) => readonly string[]) {
  const writes: Step["writes"] = (rest, address, value) => {
    const { workspace } = parseAddress(address);
    const timed = rest.slice(0, -address.length - 1);
    const [at, name = ""] = timed.split("/").reverse();
    return [{ put: keys.listed(ofWorkspace(workspace, name), Number(at), address), value }];
  };
  return { prefix: keys.list(list), writes } satisfies Step;
}

const STEPS: readonly Step[] = [
  moved("request"),
  moved("approval"),
  again(["approval", "all"], (workspace) => ["approval", "workspace", workspace]),
  again(["request", "chat"], LISTS.requestsOfChatNamed),
];

/**
 * Brings a store of the format before to this one's; leaves every other store as it is.
 * @throws what `commit` does; the next start goes on where this one ended.
 */
export async function migrate(store: Store, tell: Tell): Promise<void> {
  const text = store.get(keys.meta);
  if (text === undefined) return;
  // Of whatever version it is, a meta row says its format.
  const meta = decode(keys.meta, text) as { readonly format?: unknown };
  if (meta.format !== BEFORE && meta.format !== BETWEEN) return;
  const mark = (format: unknown): Promise<void> =>
    store.commit([{ put: keys.meta, value: JSON.stringify({ ...meta, format }) }]);
  if (meta.format === BEFORE) await mark(BETWEEN);
  let rows = 0;
  const told = (isDone: boolean): void => tell.progress({ from: BEFORE, to: FORMAT, rows, isDone });
  for (const step of STEPS) {
    for await (const count of taken(store, step, tell)) {
      if (Math.floor((rows + count) / TOLD_EVERY) > Math.floor(rows / TOLD_EVERY)) told(false);
      rows += count;
    }
  }
  await mark(FORMAT);
  told(true);
}

/** Takes a step, a commit at a time. @returns how many rows each was about. */
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
    // The first key behind the last one: none is between them.
    gte = `${last[0]} `;
  }
}
