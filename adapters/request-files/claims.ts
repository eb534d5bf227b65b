// Claims
// The right to write one request, held by one writer of all processes; lost, it lets nothing more be written.
//
//   .claims/<id>/<token>/          the claim's room: drafts are written here, and become the file by a rename out of it
//   .claims/new.<token>/<token>/   a room that is ready for its next claim
//
//   Owns:          taking a claim, giving it back, taking it from a writer that is gone or stands still.
//   Does not own:  the writing.
//
// CLAIMS-1. A claim is a folder that is not empty, put in its place by one rename: no two writers get theirs there.
// CLAIMS-2. A claim is taken from another by renaming its room. What that one still writes has no way out of the room
//     any more: its rename finds no path, so a writer that was wrongly thought gone begins again, and overwrites
//     nothing.
// CLAIMS-3. So how it is guessed that a writer is gone decides how long others wait, never what is kept.
// CLAIMS-4. A room that was left empty serves again: then a claim costs one rename, and giving it back another. (by
//     review: it shows in the cost only)
//
// Why: docs/decisions/0040-request-files.md

import { createHash, randomInt, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCode, unless, unlessMissing } from "../../runtime/errors/system-codes.ts";

const NEW = "new.";
const GONE = "gone.";
/** A claim that somebody has held for so long, as far as one saw, is taken from them. */
const HELD_MAX_MS = 5_000;
const WAIT_MAX_MS = 30;
/** Claims of one process at a time: more at once would only make rooms, and wait for the disk in the same line. */
const AT_ONCE = 64;
/** In another container the same number is another process. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

const TOKEN = /^\d+\.[0-9a-f]{12}\.[0-9a-f-]{36}$/;

export interface Claim {
  /** A path in the room: what is renamed from or to it is so only while the claim holds. */
  inside(name: string): string;
  /** False once it was taken away. */
  holds(): Promise<boolean>;
  /** @param isEmpty nothing was left in the room. */
  release(isEmpty: boolean): Promise<void>;
}

/** The claims of one process in one folder. */
export class Claims {
  readonly #folder: string;
  readonly #ready: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #held = 0;

  /** @param folder of all claims. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * @param id names the thing to claim; it may stand in a path.
   * @param patienceMs how long to wait for others.
   * @returns undefined if it could not be had in that time.
   */
  async take(id: string, patienceMs: number): Promise<Claim | undefined> {
    await this.#turn();
    let room: Claim | undefined;
    try {
      room = await this.#taken(id, performance.now() + patienceMs);
      return room;
    } finally {
      if (!room) this.#next();
    }
  }

  /** Takes away what writers that were killed left. One that lives has it made anew (CLAIMS-2). */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder))
      if (name.startsWith(NEW) || name.startsWith(GONE)) {
        if (!isAlive(name.slice(name.indexOf(".") + 1))) await this.#drop(name);
      } else {
        const tokens = (await unless(["ENOENT", "ENOTDIR"], readdir(join(this.#folder, name)))) ?? [];
        if (tokens.every((token) => TOKEN.test(token) && !isAlive(token))) {
          for (const token of tokens) await this.#takeAway(join(this.#folder, name), token);
          await unless(["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"], rmdir(join(this.#folder, name)));
        }
      }
  }

  /** Takes the rooms away that are ready. */
  async clear(): Promise<void> {
    for (const token of this.#ready.splice(0)) await this.#drop(NEW + token);
  }

  async #taken(id: string, until: number): Promise<Claim | undefined> {
    const place = join(this.#folder, id);
    const seen = new Map<string, number>();
    let token = this.#ready.pop() ?? (await this.#make());
    for (;;) {
      // If the folder is not there, another process swept it away.
      const is = await moved(join(this.#folder, NEW + token), place);
      if (is === "there") return this.#claim(place, token);
      if (is === "missing") token = await this.#make();
      if (performance.now() > until) break;
      const held = (await unlessMissing(readdir(place))) ?? [];
      for (const other of held) if (isGone(other, seen)) await this.#takeAway(place, other);
      if (held.length > 0) await sleep(randomInt(1, WAIT_MAX_MS));
    }
    this.#ready.push(token);
    return undefined;
  }

  #claim(place: string, token: string): Claim {
    const room = join(place, token);
    const since = performance.now();
    return {
      inside: (name) => join(room, name),
      holds: async () => (await unlessMissing(readdir(room))) !== undefined,
      release: async (isEmpty) => {
        try {
          // Another process may hold it by now (CLAIMS-2), so it is removed only if nobody had a reason to take it.
          if (isEmpty && performance.now() - since < HELD_MAX_MS / 2) {
            if ((await moved(place, join(this.#folder, NEW + token))) === "there") this.#ready.push(token);
            return;
          }
          await rm(room, { recursive: true, force: true });
          // Another writer may be there by now.
          await unless(["ENOTEMPTY", "EEXIST", "ENOENT"], rmdir(place));
        } finally {
          this.#next();
        }
      },
    };
  }

  async #make(): Promise<string> {
    const token = `${process.pid}.${HOST}.${randomUUID()}`;
    await mkdir(join(this.#folder, NEW + token), { mode: 0o700 });
    await mkdir(join(this.#folder, NEW + token, token), { mode: 0o700 });
    return token;
  }

  /** CLAIMS-2. */
  async #takeAway(place: string, token: string): Promise<void> {
    const away = `${GONE}${process.pid}.${HOST}.${randomUUID()}`;
    if ((await moved(join(place, token), join(this.#folder, away))) === "there") await this.#drop(away);
  }

  #drop(name: string): Promise<void> {
    return rm(join(this.#folder, name), { recursive: true, force: true });
  }

  async #turn(): Promise<void> {
    if (this.#held < AT_ONCE) this.#held += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held -= 1;
  }
}

/** CLAIMS-1. */
async function moved(from: string, to: string): Promise<"there" | "missing" | "held"> {
  try {
    await rename(from, to);
    return "there";
  } catch (error) {
    if (isCode(error, "ENOENT")) return "missing";
    if (isCode(error, "ENOTEMPTY", "EEXIST")) return "held";
    throw error;
  }
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
