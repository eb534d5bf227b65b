// Reader
// Has another process open stores that may kill it.
//
//   Owns:          starting reader-child.ts, and another one in the place of one that died.
//   Does not own:  what the child does.

import { type Child, startChild } from "./children.ts";

const PROGRAM = new URL("reader-child.ts", import.meta.url).pathname;
/** A child is not asked for more: it is given a while for all of its life. */
const FOLDERS_MAX = 40;

export class Reader {
  #child: Child | undefined;
  #asked = 0;

  /** @returns `read` and how many rows, `refused` and the error's code, `died` and how. */
  async use(dir: string): Promise<string> {
    if (this.#asked % FOLDERS_MAX === 0) await this.end();
    this.#asked += 1;
    this.#child ??= startChild("", "", [], PROGRAM);
    const child = this.#child;
    child.send(dir);
    try {
      return (await child.said(`${dir} `)).slice(dir.length + 1);
    } catch {
      this.#child = undefined;
      return `died ${await child.ended}`;
    }
  }

  async end(): Promise<void> {
    this.#child?.kill();
    await this.#child?.ended;
    this.#child = undefined;
  }
}
