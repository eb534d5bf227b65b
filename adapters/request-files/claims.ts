// Claims
// The claim is the right to write one request. Of all processes, only one writer has it; a writer that lost it cannot write.
//
//   .claims/<id>/<token>/          the room: a folder where the claim's holder writes a draft, then renames it to its final path
//   .claims/new.<token>/<token>/   an empty room, which its process keeps ready for the next claim
//
//   Owns:          taking a claim, releasing it, taking it from a writer that has ended or makes no progress.
//   Does not own:  writing the request's file.
//
// CLAIMS-1. A claim is a folder that is not empty. A writer takes it by renaming its room to the claim's path: the system
//     refuses to rename a folder onto one that is not empty, so of two writers only one succeeds.
// CLAIMS-2. A claim is taken from a writer by renaming that writer's room: the writer's renames out of the room then fail,
//     because their path is gone. So if the writer has not really ended, it begins its write again, and overwrites nothing.
// CLAIMS-3. If other writers wrongly believe that a writer has ended, that changes only how long they wait, never what is stored.
// CLAIMS-4. An empty room is used again, so taking or releasing a claim costs one rename. (checked by review: a test would have
//     to measure the cost)
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
/** If this process has waited this long for a claim with the same holder, it takes the claim from the holder. */
const HELD_MAX_MS = 5_000;
const WAIT_MAX_MS = 30;
/** How many claims one process has at the same time: further claims would only wait for the same disk. */
const AT_ONCE = 64;
/** A mark of the host: in another container, the same process id belongs to another process. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);

const TOKEN = /^\d+\.[0-9a-f]{12}\.[0-9a-f-]{36}$/;

export interface Claim {
  /** A path in the claim's folder, the room. A rename from or to this path succeeds only while the process has the claim. */
  inside(name: string): string;
  /** False once another process has taken the claim. */
  holds(): Promise<boolean>;
  /** Gives the claim up. @param isEmpty whether the room is empty, so that the next claim can use it again. */
  release(isEmpty: boolean): Promise<void>;
}

export class Claims {
  readonly #folder: string;
  readonly #ready: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #held = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * @param id a text that is valid in a path.
   * @param patienceMs how long to wait for the claim.
   * @returns the claim; undefined if others had it all this time.
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

  /** Removes the files that killed writers have left. A living writer whose files are removed makes them again (CLAIMS-2). */
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

  async clear(): Promise<void> {
    for (const token of this.#ready.splice(0)) await this.#drop(NEW + token);
  }

  async #taken(id: string, until: number): Promise<Claim | undefined> {
    const place = join(this.#folder, id);
    const seen = new Map<string, number>();
    let token = this.#ready.pop() ?? (await this.#make());
    for (;;) {
      // If this process's empty room is missing, another process has removed it, so a new one is made.
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
          // If this claim was held for long, another process may have it by now, and its room may be in the folder (CLAIMS-2). So
          // the folder is not moved away: only this claim's room is removed.
          if (isEmpty && performance.now() - since < HELD_MAX_MS / 2) {
            if ((await moved(place, join(this.#folder, NEW + token))) === "there") this.#ready.push(token);
            return;
          }
          await rm(room, { recursive: true, force: true });
          // The claim's folder stays if another writer has put its own claim into the folder meanwhile.
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

/** Renames a folder (CLAIMS-1). @returns `missing` if `from` does not exist, `held` if `to` is a claim that somebody has. */
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
