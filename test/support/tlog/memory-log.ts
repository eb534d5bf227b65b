// Memory log
// A log's files in memory, which can break off at any write, as a killed process does.
//
//   Owns:          the files, how a write breaks off, reading them as a command does.
//   Does not own:  the log.

import { entriesIn, bundleOf } from "../../../runtime/tlog/bundles.ts";
import type { LogFiles } from "../../../adapters/audit-log/index.ts";
import type { KeptLog } from "../../../runtime/audit/kept-log.ts";
import { tilePath, numberPath } from "../../../runtime/tlog/tiles.ts";

export class Killed extends Error {}

export class MemoryLog implements LogFiles {
  readonly files = new Map<string, Buffer>();
  /** The process dies at this write from now on; what is appended is torn. */
  left = Infinity;
  writes = 0;

  read(path: string): Promise<Buffer | undefined> {
    return Promise.resolve(this.files.get(path));
  }

  async write(path: string, content: Buffer | string): Promise<void> {
    await this.#step();
    this.files.set(path, Buffer.from(content));
  }

  async append(path: string, text: string): Promise<void> {
    const before = this.files.get(path) ?? Buffer.alloc(0);
    const whole = Buffer.concat([before, Buffer.from(text)]);
    await this.#step(() => this.files.set(path, whole.subarray(0, before.length + (text.length >> 1))));
    this.files.set(path, whole);
  }

  async cut(path: string, bytes: number): Promise<void> {
    await this.#step();
    this.files.set(path, (this.files.get(path) ?? Buffer.alloc(0)).subarray(0, bytes));
  }

  names(path: string): Promise<readonly string[]> {
    const below = [...this.files.keys()].filter((each) => each.startsWith(`${path}/`));
    return Promise.resolve([
      ...new Set(below.map((each) => each.slice(path.length + 1).split("/")[0] ?? "")),
    ]);
  }

  async remove(path: string): Promise<void> {
    await this.#step();
    for (const each of this.files.keys())
      if (each === path || each.startsWith(`${path}/`)) this.files.delete(each);
  }

  #step(torn: () => void = () => undefined): Promise<void> {
    this.writes += 1;
    this.left -= 1;
    if (this.left >= 0) return Promise.resolve();
    if (this.left === -1) torn();
    return Promise.reject(new Killed("killed"));
  }

  /** As the folder's reader has it. */
  kept(): KeptLog {
    const get = (path: string): Buffer | undefined => this.files.get(path);
    return {
      hasOpenings: true,
      checkpoint: () => get("log/checkpoint")?.toString(),
      piece: (level, n, width) =>
        get(`log/${tilePath(level, n, width)}`) ?? this.#wider(`log/${tilePath(level, n)}`, level, width),
      openings: (n) => get(`openings/${numberPath(n)}`)?.toString(),
    };
  }

  #wider(full: string, level: number | "entries", width: number): Buffer | undefined {
    const found =
      this.files.get(full) ?? [...this.files].find(([path]) => path.startsWith(`${full}.p/`))?.[1];
    if (!found) return undefined;
    return level === "entries" ? bundleOf(entriesIn(found).slice(0, width)) : found.subarray(0, width * 32);
  }
}
