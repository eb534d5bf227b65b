// Recovery
// Checks all files at a start and in each sweep: which requests are in order, have hung, are too old, or cannot be read.
//
//   Owns:          the rules of S1 (docs/why/requirements.md) about a request's age, in their order; the report.
//   Does not own:  when a recovery runs, who gets its report (tracker).
//
// REQUEST-FILES-RECOVERY-1. A file that cannot be used does not stop the check: the report names the file, and the file stays.
// REQUEST-FILES-RECOVERY-2. A request whose last update is longer ago than `keepMs` is removed and reported, unless it waits
//     for a user.
// REQUEST-FILES-RECOVERY-3. A request whose last update is more than 35 days from the clock's time gets new times (dating.ts). It
//     is otherwise left as it is: only the next check, by the new times, may end or remove it.
// REQUEST-FILES-RECOVERY-4. The age of a request is checked a second time under the claim of its file, before the file is
//     changed or removed: a request that was updated meanwhile stays as it is. (checked by review: no test can step in between
//     the two checks)

import { datedAnew } from "./dating.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { RequestFolder, Change, Kept } from "./folder.ts";
import type { RequestState, StateFile } from "./format.ts";
import { overdue, type Limits } from "./lifecycle.ts";

export interface Recovery {
  /** How many requests exist and have a usable file. */
  readonly recovered: number;
  /** Requests that had hung, or whose own limit had passed: they are in `timeout` now. */
  readonly timedOut: readonly RequestState[];
  /** Requests whose times were too far from the clock to be believed: they got new times, beginning with now. */
  readonly redated: readonly RequestState[];
  /** Requests that were removed because they were old enough, with their last content. */
  readonly removed: readonly RequestState[];
  /** Requests whose file was damaged, restored as before their last write. The last write is lost; the damaged file is kept. */
  readonly restored: readonly RequestState[];
  /** Files that cannot be used, each with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly error: RefusedError }[];
}

interface Fate {
  readonly kept?: Kept;
  readonly what: Finding | "restored" | "unreadable";
  readonly error?: RefusedError;
}

type Finding = "kept" | "timedOut" | "redated" | "removed";

const AT_ONCE = 32;

/** @param read reads a request by the name of its file. */
export async function recover(
  folder: RequestFolder,
  read: (name: string) => Promise<Kept | undefined>,
  now: () => number,
  limits: Limits,
): Promise<Recovery> {
  const names = await folder.names();
  const fates: (readonly [string, Fate])[] = [];
  const left = names.values();
  const work = async (): Promise<void> => {
    for (const name of left) {
      const fate = await fateOf(folder, name, read, now, limits);
      if (fate) fates.push([name, fate]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const there = fates.flatMap(([name, { kept, what }]) =>
    kept && what !== "removed" ? [[name, kept.file.request.workspace] as const] : [],
  );
  await folder.reindex(new Map(there));
  const all = (what: Fate["what"]): readonly RequestState[] =>
    fates.flatMap(([, fate]) => (fate.what === what && fate.kept ? [fate.kept.file.request] : []));
  return {
    recovered: there.length,
    timedOut: all("timedOut"),
    redated: all("redated"),
    removed: all("removed"),
    restored: all("restored"),
    unreadable: fates.flatMap(([name, { error }]) => (error ? [{ file: `${name}.json`, error }] : [])),
  };
}

async function fateOf(
  folder: RequestFolder,
  name: string,
  read: (name: string) => Promise<Kept | undefined>,
  now: () => number,
  limits: Limits,
): Promise<Fate | undefined> {
  try {
    const kept = await read(name);
    if (!kept) return undefined;
    let [what, change] = due(kept.file, now(), limits);
    if (what === "kept") return { kept, what };
    const after = await folder.change(name, (file) => {
      [what, change] = due(file, now(), limits);
      return change;
    });
    return after && { kept: after, what };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const kept = error.code === "STATE_DAMAGED" ? await folder.restore(name) : undefined;
    return kept ? { kept, what: "restored" } : { what: "unreadable", error };
  }
}

/**
 * Decides whether a request gets new times (REQUEST-FILES-RECOVERY-3), is removed (REQUEST-FILES-RECOVERY-2), ends because it
 * hung, or stays as it is.
 */
function due(file: StateFile, now: number, limits: Limits): readonly [Finding, Change] {
  const { lastUpdatedAt, waiting } = file.request;
  const redated = datedAnew(file, now);
  if (redated) return ["redated", { ...redated, generation: file.generation + 1 }];
  if (now - lastUpdatedAt > limits.keepMs && waiting !== true) return ["removed", "remove"];
  const ended = overdue(file, now, limits);
  return ended ? ["timedOut", ended] : ["kept", undefined];
}
