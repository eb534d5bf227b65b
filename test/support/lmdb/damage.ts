// Damage
// Data files of real stores, and what may happen to one.
//
//   Owns:          building stores step by step, the ways in which a file is damaged.
//   Does not own:  opening what is left (reader.ts).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import type { Write } from "../../../runtime/ports.ts";

export const PAGE = 4096;

/** The same file after each of its commits; the last one is as its owner left it. */
export type History = readonly Buffer[];

/** How many rows a store has, and how long its longest is: short ones, long ones with pages of their own, many. */
export const SIZES = [
  { rows: 60, longest: 300 },
  { rows: 40, longest: 9_000 },
  { rows: 1_500, longest: 200 },
] as const;

/** A number of which nothing is known but that it is always the same. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

/** Puts and removes rows at random, commit after commit. @param each called behind every commit. */
export async function live(
  dir: string,
  { rows, longest }: { readonly rows: number; readonly longest: number },
  commits: number,
  each: (data: string) => void | Promise<void>,
): Promise<void> {
  const next = numbers(rows + longest);
  const upTo = (count: number) => next.next().value % count;
  const { store, journal, close } = openLmdb(dir, systemClock(), { markOf });
  await store.open();
  await journal.open(undefined);
  for (let n = 0; n < commits; n += 1) {
    const keys = new Set(Array.from({ length: rows / 2 }, () => `row/${upTo(rows)}`));
    const change = (key: string): Write =>
      upTo(3) === 0 ? { del: key } : { put: key, value: "v".repeat(upTo(longest)) };
    await Promise.all([
      store.commit([...keys].map(change)),
      journal.append(["e".repeat(upTo(6_000)), "short"]),
    ]);
    await each(join(dir, "data.mdb"));
  }
  await close();
}

export async function historyOf(dir: string, size: (typeof SIZES)[number]): Promise<History> {
  const history: Buffer[] = [];
  await live(dir, size, 12, (data) => {
    history.push(readFileSync(data));
  });
  return [...history, readFileSync(join(dir, "data.mdb"))];
}

interface Chance {
  /** Shares of what there is. */
  readonly page: number;
  readonly other: number;
  readonly stage: number;
  /** Where in a page, and what becomes of what stands there. */
  readonly spots: readonly (readonly [at: number, flip: number])[];
}

const pagesOf = (bytes: Buffer): number => bytes.length / PAGE;
const now = (history: History): Buffer => Buffer.from(history.at(-1) ?? "");
const pick = (share: number, count: number): number => Math.floor(share * count);
const pageIn = (bytes: Buffer, page: number): Buffer => bytes.subarray(page * PAGE, (page + 1) * PAGE);

function flipped(bytes: Buffer, from: number, length: number, spots: Chance["spots"]): Buffer {
  for (const [at, flip] of spots) bytes[from + (at % length)] = (bytes[from + (at % length)] ?? 0) ^ flip;
  return bytes;
}

/** Where pages differ, the earlier ones are of an earlier commit: so a copy looks that took long. */
function torn(history: History, { stage, spots }: Chance): Buffer {
  const last = history.length - 1;
  const pages = pagesOf(now(history));
  const steps = spots.map(([at]) => at % pages);
  const from = pick(stage, history.length);
  return Buffer.concat(
    Array.from({ length: pages }, (_, page) => {
      const passed = steps.filter((step) => step <= page).length;
      return pageIn(history[Math.min(from + passed, last)] ?? Buffer.alloc(0), page);
    }),
  );
}

type Damaging = (history: History, chance: Chance) => Buffer;

const WAYS: Readonly<Record<string, Damaging>> = {
  "bytes of a page": (history, { page, spots }) => {
    const bytes = now(history);
    return flipped(bytes, pick(page, pagesOf(bytes)) * PAGE, PAGE, spots);
  },
  "the beginning of a page": (history, { page, spots }) => {
    const bytes = now(history);
    return flipped(bytes, pick(page, pagesOf(bytes)) * PAGE, 100, spots);
  },
  "a header": (history, { page, spots }) => flipped(now(history), pick(page, 2) * PAGE, 168, spots),
  "a page of zeros": (history, { page }) => {
    const bytes = now(history);
    pageIn(bytes, pick(page, pagesOf(bytes))).fill(0);
    return bytes;
  },
  "an older page": (history, { page, stage }) => {
    const bytes = now(history);
    const at = pick(page, pagesOf(bytes));
    pageIn(history[pick(stage, history.length)] ?? bytes, at).copy(bytes, at * PAGE);
    return bytes;
  },
  "another page": (history, { page, other }) => {
    const bytes = now(history);
    pageIn(bytes, pick(other, pagesOf(bytes))).copy(bytes, pick(page, pagesOf(bytes)) * PAGE);
    return bytes;
  },
  cut: (history, { page }) => now(history).subarray(0, pick(page, now(history).length)),
  torn,
};

/** One way in which a file of one of the sizes is damaged. */
export interface Case extends Chance {
  readonly way: string;
  readonly size: number;
}

const FINE = 1 << 20;
const share = fc.nat(FINE - 1).map((part) => part / FINE);

export const cases: fc.Arbitrary<Case> = fc.record({
  way: fc.constantFrom(...Object.keys(WAYS)),
  size: fc.nat(SIZES.length - 1),
  page: share,
  other: share,
  stage: share,
  spots: fc.array(fc.tuple(fc.nat(PAGE - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  }),
});

export function damaged(history: History, each: Case): Buffer {
  const way = WAYS[each.way];
  if (!way) throw new Error(`No way "${each.way}".`);
  return way(history, each);
}
