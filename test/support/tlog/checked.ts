// Checked
// A log's files, checked by the second reader alone: each entry is proven, each opening tried.
//
//   Owns:          reading the files by the names of the specification.
//   Does not own:  anything it shares with the product but the files.

import { isOpenedBy, leafOf, mth, readHead } from "./independent.ts";

interface Read {
  readonly size: number;
  readonly root: Buffer;
  readonly entries: readonly string[];
  readonly openings: readonly string[];
}

const threes = (n: number): string => {
  const digits = String(n).padStart(Math.ceil(String(n).length / 3) * 3, "0");
  const parts = digits.match(/\d{3}/g) ?? [];
  return parts.map((part, at) => (at === parts.length - 1 ? part : `x${part}`)).join("/");
};

/** @throws Error where anything is not as the formats have it. */
export function checkedLog(files: ReadonlyMap<string, Buffer>, key: string): Read {
  const { size, root } = readHead(files.get("log/checkpoint")?.toString() ?? "", key);
  const entries: string[] = [];
  const openings: string[] = [];
  for (let n = 0; n * 256 < size; n += 1) {
    const width = Math.min(256, size - n * 256);
    const suffix = width === 256 ? "" : `.p/${width}`;
    const bundle = files.get(`log/tile/entries/${threes(n)}${suffix}`) ?? Buffer.alloc(0);
    const hashes: Buffer[] = [];
    for (let at = 0; at < bundle.length;) {
      const length = bundle.readUInt16BE(at);
      const entry = bundle.subarray(at + 2, at + 2 + length);
      entries.push(entry.toString());
      hashes.push(leafOf(entry));
      at += 2 + length;
    }
    if (!files.get(`log/tile/0/${threes(n)}${suffix}`)?.equals(Buffer.concat(hashes)))
      throw new Error(`tile ${n} differs`);
    openings.push(...(files.get(`openings/${threes(n)}`)?.toString() ?? "").split("\n").slice(0, width));
  }
  if (entries.length !== size) throw new Error(`${entries.length} entries of ${size}`);
  if (!mth(entries.map((entry) => leafOf(Buffer.from(entry)))).equals(root)) throw new Error("another root");
  entries.forEach((entry, at) => {
    const opening = openings[at] ?? "";
    if (opening !== "-" && !isOpenedBy(entry, opening)) throw new Error(`opening ${at} does not fit`);
  });
  return { size, root, entries, openings };
}

/** What an entry says. */
export const saidIn = (entry: string): Readonly<Record<string, unknown>> =>
  JSON.parse(entry) as Record<string, unknown>;
