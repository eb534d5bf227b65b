// Lines backwards
// Reads the lines of a file from the last to the first, in chunks from the file's end.
//
//   Owns:          the chunks, lines that span several chunks, the limits.
//   Does not own:  what a line means.
//
// INTENT-LINES-BACKWARDS-1. At most one chunk and one line are in memory. A line above the limit is returned without its content.
//     No more of the file is read than the caller allows, even if the file is one long line.

export interface Line {
  /** Where the line begins, in bytes from the file's start. */
  readonly offset: number;
  /** The line's bytes; undefined if the line is too long. */
  readonly bytes: Buffer | undefined;
}

export interface Source {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
}

export interface LineLimits {
  /** The longest line that is returned, in bytes. */
  readonly line: number;
  /** How much of the file is read at most, in bytes. */
  readonly file: number;
}

const CHUNK_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;
/** The last line break before `end`. If the break is near, this is a hundred times as fast as the buffer's own search. */
const breakBefore = (chunk: Buffer, end: number): number =>
  end === 0 ? -1 : Uint8Array.prototype.lastIndexOf.call(chunk, LINE_BREAK, end - 1);

export class LinesBackwards {
  readonly #source: Source;
  readonly #limits: LineLimits;
  /** The chunk that is being read. It begins at `#from`, and its unread part ends before `#end`. */
  #chunk: Buffer = Buffer.alloc(0);
  #from: number;
  #end = 0;
  #done = false;

  /** True once the reading has ended at the file's limit. */
  isCut = false;

  constructor(source: Source, limits: LineLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#from = source.size;
  }

  /** @returns the line before the one returned last; undefined after the file's first line, or once the limit was reached. */
  async next(): Promise<Line | undefined> {
    if (this.#done) return undefined;
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const at = breakBefore(this.#chunk, this.#end);
      const part = this.#chunk.subarray(at + 1, this.#end);
      length += part.length;
      if (length <= this.#limits.line) parts.unshift(part);
      else parts.length = 0;
      if (at >= 0) {
        this.#end = at;
        return this.#line(this.#from + at + 1, parts, length);
      }
      if (this.#from === 0) {
        this.#done = true;
        return this.#line(0, parts, length);
      }
      if (this.#source.size - this.#from >= this.#limits.file) {
        this.#done = true;
        this.isCut = true;
        return undefined;
      }
      await this.#readBefore();
    }
  }

  #line(offset: number, parts: readonly Buffer[], length: number): Line {
    if (length > this.#limits.line) return { offset, bytes: undefined };
    const [only] = parts;
    return { offset, bytes: parts.length === 1 && only ? only : Buffer.concat(parts) };
  }

  async #readBefore(): Promise<void> {
    const from = Math.max(0, this.#from - CHUNK_BYTES);
    this.#chunk = await this.#source.read(from, this.#from - from);
    this.#end = this.#chunk.length;
    this.#from = from;
  }
}
