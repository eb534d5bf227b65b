// Digests
// Computes short digests of stretches of a store's history. An owner and a spare that read the same journal compare these
// digests.
//
//   Owns:          which rows a digest covers, how many rows one digest reads.
//   Does not own:  comparing digests (agreement), the rows that a digest covers (turn/playing, turn/proof).
//   Decided in:    docs/decisions/0093-a-spare-compares-with-the-owner.md.
//
// DIGESTS-1. Stores that applied the same entries have the same digest for the same stretch of their history. The digest covers
//     everything that is published of each change, and the proof of each turn (a stored digest of the turn's result,
//     turn/proof). It leaves out only the epoch, because each store counts its own epochs before the journal's first term.
// DIGESTS-2. The digest of a single row does not depend on the order of the row's fields. If the row cannot be read, its digest
//     is the word `unreadable`.
// DIGESTS-3. One digest reads at most 256 rows, and names the last row that it covers.
// DIGESTS-4. The owner and the spare compare only entries that both applied with their present build. So a digest leaves out
//     the rows of entries before a given position.

import { createHash } from "node:crypto";
import { jsonIn } from "../../machines/json.ts";
import type { Digest, Stretch } from "../cluster/standing.ts";
import type { Store } from "../ports.ts";
import { after as behind, keys } from "../rows/keys.ts";
import { proofKey, type ProofRow } from "../turn/proof.ts";

/** Stands in place of the digest of a stretch that is a single number, if the store has no row with this number. */
export const NONE = "none";
export const UNREADABLE = "unreadable";

const ROWS_MAX = 256;
const LENGTH = 32;

type Rows = Pick<Store, "range">;
type Summed = Omit<Digest, "build">;

/** @returns the digest of the stretch, or of its first part if the stretch has more than 256 rows (DIGESTS-3). */
export function digestOf(store: Rows, stretch: Stretch): Summed {
  const { after, upTo } = stretch;
  if (upTo - after === 1) return { ...stretch, digest: single(store, stretch) };
  const read = stretch.of === "changes" ? changesIn : proofsIn;
  const sum = createHash("sha256");
  let rows = 0;
  for (const [last, text] of read(store, stretch)) {
    if (text !== "") sum.update(text).update("\n");
    if ((rows += 1) === ROWS_MAX) return { ...stretch, upTo: Math.min(upTo, last), digest: hex(sum) };
  }
  return { ...stretch, digest: hex(sum) };
}

const hex = (sum: ReturnType<typeof createHash>): string => sum.digest("hex").slice(0, LENGTH);

/** The texts of a stretch's rows, each with the last number that the row covers. */
type Texts = Iterable<readonly [last: number, text: string]>;

const numberIn = (key: string, table: string): number => Number(key.slice(table.length));

function* changesIn(store: Rows, { after, upTo, since }: Stretch): Texts {
  const to = { gte: keys.change(after + 1), lt: keys.change(upTo + 1), limit: ROWS_MAX };
  for (const [key, text] of store.range(to)) {
    const [, turn = since] = TURN.exec(text) ?? [];
    yield [numberIn(key, keys.changes), Number(turn) < since ? "" : text.replace(EPOCH, "")];
  }
}

const EPOCH = /"epoch":\d+,/;
/** Finds the turn's position in a row's text. If it finds none, the row counts as new enough to be compared (DIGESTS-4). */
const TURN = /"epoch":\d+,"turn":(\d+)/;

function* proofsIn(store: Rows, { after, upTo, since }: Stretch): Texts {
  const to = { gte: proofKey(after + 1), lt: behind(keys.proofs), limit: ROWS_MAX };
  for (const [, text] of store.range(to)) {
    const { first = 0, of = [] } = (jsonIn(text) ?? {}) as Partial<ProofRow>;
    if (first > upTo) return;
    const inside = of.flatMap((proof, index) => {
      const position = first + index;
      return proof !== "" && position > after && position <= upTo && position >= since
        ? [`${position}:${proof}`]
        : [];
    });
    yield [first + of.length - 1, inside.join(",")];
  }
}

function single(store: Rows, stretch: Stretch): string {
  const [found] = stretch.of === "changes" ? changesIn(store, stretch) : proofsIn(store, stretch);
  const [, text = ""] = found ?? [];
  if (text === "") return NONE;
  if (stretch.of === "quiet") return text;
  const row = jsonIn(text);
  return row === undefined ? UNREADABLE : hex(createHash("sha256").update(JSON.stringify(row, inOrder)));
}

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
