// Lines
// Cuts a stream of bytes into whole lines.
//
//   Owns:          the bytes stored until their line ends, the greatest length of a line.
//   Does not own:  the content of a line (message).
//
// PROXY-LINES-1. However the bytes arrive in pieces, the same lines are passed on, each once and in order; no byte is read twice.
// PROXY-LINES-2. Memory is bounded: a line above the greatest length is an error of the stream.

const NEWLINE = 0x0a;
const NONE = Buffer.alloc(0);
const LINE_BYTES_MAX = 64 * 1024 * 1024;

export class Lines {
  readonly #max: number;
  #kept: Uint8Array[] = [];
  #bytes = 0;

  constructor(max = LINE_BYTES_MAX) {
    this.#max = max;
  }

  /** @returns all lines that end in this chunk, in one piece, with the last newline. @throws Error if a line is too long. */
  take(chunk: Buffer): Buffer {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    const ended = end === 0 ? NONE : Buffer.concat([...this.#kept, chunk.subarray(0, end)]);
    if (end > 0) [this.#kept, this.#bytes] = [[], 0];
    if (end < chunk.length) {
      this.#kept.push(chunk.subarray(end));
      this.#bytes += chunk.length - end;
    }
    if (this.#bytes > this.#max) throw new Error(`a line is longer than ${this.#max} bytes`);
    return ended;
  }
}

export function eachLine(block: Buffer, each: (from: number, to: number) => void): void {
  for (let from = 0; from < block.length;) {
    const to = block.indexOf(NEWLINE, from) + 1;
    each(from, to);
    from = to;
  }
}
