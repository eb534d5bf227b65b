// Refused
// The paths of transcripts that may not be read. Each path is reported once.
//
//   Owns:          which paths are refused, when each path is checked again.
//   Does not own:  why a transcript is refused (roots).
//
// TRANSCRIPTS-REFUSED-1. However often hooks name a refused path, there is one dead letter. If a hook names the path again
//     after a minute, the path is checked again, because it may have become valid. A path that was read before is checked again
//     even without a hook. Outside of the roots, the paths that agree up to the folder above the file's own share one dead
//     letter, because each session may name a further path there.
// TRANSCRIPTS-REFUSED-2. After a path was refused, a trouble is reported until no path has been refused for ten minutes.

import { dirname } from "node:path";
import type { RefusedError } from "../../runtime/errors/errors.ts";
import type { Clock } from "../../runtime/ports.ts";
import type { Counts } from "./counts.ts";
import type { SendingOptions } from "./sending.ts";

interface Reach extends Pick<SendingOptions, "door"> {
  readonly clock: Pick<Clock, "monotonic" | "now">;
  readonly counts: Counts;
}

const TOLD_MAX = 1_000;
export const AGAIN_MS = 60_000;
const LASTS_MS = 600_000;

export class Refused {
  readonly #reach: Reach;
  /** For each refused path, when it may be checked again. */
  readonly #paths = new Map<string, number>();
  /** The paths and folders whose faults a dead letter has reported. */
  readonly #told = new Set<string>();
  #last:
    | { readonly code: string; readonly count: number; readonly since: number; readonly at: number }
    | undefined;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** True if the path was refused, and must not be checked again yet. */
  has(key: string): boolean {
    return (this.#paths.get(key) ?? 0) > this.#reach.clock.monotonic();
  }

  /** The code of the last fault, the number of faults, and when the first came, ms; undefined if the last fault is long ago. */
  get trouble(): { readonly code: string; readonly count: number; readonly since: number } | undefined {
    const { clock } = this.#reach;
    if (this.#last && clock.monotonic() - this.#last.at > LASTS_MS) this.#last = undefined;
    return this.#last;
  }

  async tell(key: string, path: string, why: RefusedError): Promise<void> {
    const { door, clock, counts } = this.#reach;
    counts.file("refused");
    const { count, since } = this.trouble ?? { count: 0, since: clock.now() };
    this.#last = { code: why.code, count: count + 1, since, at: clock.monotonic() };
    const place = why.code === "TRANSCRIPT_OUTSIDE" ? dirname(dirname(path)) : key;
    const isTold = this.#told.has(place);
    if (!isTold && this.#told.size >= TOLD_MAX) this.#told.clear();
    this.#told.add(place);
    if (this.#paths.size >= TOLD_MAX) this.#paths.clear();
    this.#paths.set(key, clock.monotonic() + AGAIN_MS);
    const body = Buffer.from(path);
    if (!isTold) await door.refusals.record(why, { door: "transcripts", by: "transcripts", body });
  }
}
