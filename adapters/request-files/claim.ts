// Claim
// The right to write one request, held by one writer of all processes; lost, it lets nothing more be written.
//
//   .claims/<id>/<token>/   the claim's room: drafts are written here, and become the file by a rename out of it
//
//   Owns:          taking a claim, giving it back, taking it from a writer that is gone or stands still.
//   Does not own:  what is written.
//
// REQUEST-FILES-CLAIM-1. A claim is a folder that is not empty, put in its place by one rename: no two writers get
//     theirs there.
// REQUEST-FILES-CLAIM-2. A claim is taken from another by renaming its room. What that one still writes has no way out
//     of the room any more: its rename finds no path, so a writer that was wrongly thought gone begins again, and
//     overwrites nothing.
// REQUEST-FILES-CLAIM-3. So how it is guessed that a writer is gone decides how long others wait, never what is kept.
//
// Why: docs/decisions/0040-request-files.md

import { createHash, randomInt, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCode, unless } from "./trouble.ts";

const NEW = "new.";
const GONE = "gone.";
/** A claim that somebody has held for so long, as far as one saw, is taken from them. */
const HELD_MAX_MS = 5_000;
const WAIT_MAX_MS = 30;
/** In another container the same number is another process. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

const TOKEN = /^\d+\.[0-9a-f]{12}\.[0-9a-f-]{36}$/;

export interface Claim {
  /** A path in the room: what is renamed from or to it is so only while the claim holds. */
  inside(name: string): string;
  /** False once it was taken away. */
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * @param folder of all claims.
 * @param id the name of what is claimed, that may stand in a path.
 * @param until by the monotonic clock.
 * @returns undefined when it was not to be had until then.
 */
export async function claim(folder: string, id: string, until: number): Promise<Claim | undefined> {
  const token = `${process.pid}.${HOST}.${randomUUID()}`;
  const place = join(folder, id);
  const seen = new Map<string, number>();
  while (!(await taken(folder, place, token))) {
    if (performance.now() > until) return undefined;
    const held = (await unless(["ENOENT"], readdir(place))) ?? [];
    for (const other of held) if (isGone(other, seen)) await takeAway(folder, place, other);
    if (held.length > 0) await sleep(randomInt(1, WAIT_MAX_MS));
  }
  const room = join(place, token);
  return {
    inside: (name) => join(room, name),
    holds: async () => (await unless(["ENOENT"], readdir(room))) !== undefined,
    async release() {
      await rm(room, { recursive: true, force: true });
      // Another writer may be there by now.
      await unless(["ENOTEMPTY", "EEXIST", "ENOENT"], rmdir(place));
    },
  };
}

/** Takes away what writers that were killed left half made. One that lives has it made anew (REQUEST-FILES-CLAIM-2). */
export async function sweepClaims(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(NEW) || name.startsWith(GONE))
      if (!isAlive(name.slice(name.indexOf(".") + 1)))
        await rm(join(folder, name), { recursive: true, force: true });
}

/** REQUEST-FILES-CLAIM-1. */
async function taken(folder: string, place: string, token: string): Promise<boolean> {
  const draft = join(folder, NEW + token);
  await mkdir(draft, { mode: 0o700 });
  try {
    await mkdir(join(draft, token), { mode: 0o700 });
    await rename(draft, place);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (isCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  }
}

/** REQUEST-FILES-CLAIM-2. */
async function takeAway(folder: string, place: string, token: string): Promise<void> {
  const away = join(folder, `${GONE}${process.pid}.${HOST}.${randomUUID()}`);
  const isMine = await unless(
    ["ENOENT"],
    rename(join(place, token), away).then(() => true),
  );
  if (isMine) await rm(away, { recursive: true, force: true });
}

function isGone(token: string, seen: Map<string, number>): boolean {
  if (!TOKEN.test(token)) return false;
  if (!isAlive(token)) return true;
  const now = performance.now();
  const since = seen.get(token) ?? now;
  seen.set(token, since);
  return now - since > HELD_MAX_MS;
}

function isAlive(token: string): boolean {
  const [pid = "", host] = token.split(".");
  if (host !== HOST) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return !isCode(error, "ESRCH");
  }
}
