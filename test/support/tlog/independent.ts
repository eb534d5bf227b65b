// Independent
// A second reader of Merkle logs, written from the texts of RFC 9162 and C2SP alone.
//
//   Owns:          roots, inclusion and consistency as section 2.1 has them, signed notes, checkpoints.
//   Does not own:  anything it shares with runtime/tlog: it shares nothing.

import { createHash, createPublicKey, verify } from "node:crypto";

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafOf = (data: Uint8Array): Buffer => sha256(Uint8Array.of(0x00), data);
const parentOf = (left: Buffer, right: Buffer): Buffer => sha256(Uint8Array.of(0x01), left, right);

/** MTH of a list of leaf hashes, by the definition: split at the largest power of two below its length. */
export function mth(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (!first) return sha256();
  if (hashes.length === 1) return first;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return parentOf(mth(hashes.slice(0, k)), mth(hashes.slice(k)));
}

/** RFC 9162, 2.1.3.2. */
export function isIncluded(
  leaf: Buffer,
  index: number,
  size: number,
  path: readonly Buffer[],
  root: Buffer,
): boolean {
  if (index >= size) return false;
  let [fn, sn] = [BigInt(index), BigInt(size) - 1n];
  let r = leaf;
  for (const p of path) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      r = parentOf(p, r);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else r = parentOf(r, p);
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  return sn === 0n && r.equals(root);
}

/** RFC 9162, 2.1.4.2. */
export function isConsistent(
  [first, firstHash]: readonly [number, Buffer],
  [second, secondHash]: readonly [number, Buffer],
  given: readonly Buffer[],
): boolean {
  if (first === second) return given.length === 0 && firstHash.equals(secondHash);
  if (given.length === 0) return false;
  const isPower = (first & (first - 1)) === 0;
  const [head, ...rest] = isPower ? [firstHash, ...given] : given;
  if (!head) return false;
  let [fn, sn] = [BigInt(first) - 1n, BigInt(second) - 1n];
  while (fn % 2n === 1n) [fn, sn] = [fn / 2n, sn / 2n];
  let [fr, sr] = [head, head];
  for (const c of rest) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      fr = parentOf(c, fr);
      sr = parentOf(c, sr);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else sr = parentOf(sr, c);
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  return fr.equals(firstHash) && sr.equals(secondHash) && sn === 0n;
}

/** @param key a verifier's key: name, id and key with `+` between. @returns the signed text. @throws Error */
export function readNote(note: string, key: string): string {
  const [name = "", id = "", ...coded] = key.split("+");
  const bytes = Buffer.from(coded.join("+"), "base64");
  const wanted = sha256(Buffer.from(name), Uint8Array.of(0x0a), bytes).subarray(0, 4);
  if (bytes[0] !== 0x01 || wanted.toString("hex") !== id) throw new Error("bad key");
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: bytes.subarray(1).toString("base64url") },
    format: "jwk",
  });
  const at = note.lastIndexOf("\n\n");
  const text = note.slice(0, at + 1);
  const lines = note
    .slice(at + 2)
    .trimEnd()
    .split("\n");
  const mine = lines.map((line) => line.split(" ")).filter(([dash, by]) => dash === "—" && by === name);
  const isSigned = mine.some(([, , base64 = ""]) => {
    const signature = Buffer.from(base64, "base64");
    return (
      signature.subarray(0, 4).equals(wanted) &&
      verify(null, Buffer.from(text), publicKey, signature.subarray(4))
    );
  });
  if (!isSigned) throw new Error("not signed");
  return text;
}

export interface Head {
  readonly size: number;
  readonly root: Buffer;
}

/** A checkpoint, by the log's key. @throws Error */
export function readHead(note: string, key: string): Head {
  const [origin, size = "", root = ""] = readNote(note, key).split("\n");
  if (origin !== key.split("+")[0]) throw new Error("another log");
  return { size: Number(size), root: Buffer.from(root, "base64") };
}

/** Whether a row is what a leaf was made of: an entry commits to salt and row. */
export function isOpenedBy(entry: string, opening: string): boolean {
  const [salt = "", ...row] = opening.split(" ");
  const { commitment } = JSON.parse(entry) as { readonly commitment?: string };
  return sha256(Buffer.from(salt, "base64"), Buffer.from(row.join(" "))).toString("base64") === commitment;
}
