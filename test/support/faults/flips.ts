// Flips
// A text as it is read back from a disk that flipped one bit of it.
//
//   Owns:          every such text.
//   Does not own:  where it stands.

/** @returns one text for each bit of the UTF-8, with that bit flipped. */
export function* flips(text: string): Generator<string> {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length * 8; at += 1) {
    const damaged = Buffer.from(bytes);
    const byte = at >> 3;
    damaged[byte] = (damaged[byte] ?? 0) ^ (1 << (at & 7));
    yield damaged.toString("utf8");
  }
}
