// Machine
// What an engine has of its machine: a clock that can be stepped, and a disk that can be full or slow.
//
//   Owns:          the folder's disk, the clock of every process that is started with `env`.
//   Does not own:  processes and links (machines), when something is struck (faults).
//
// CLUSTER-MACHINE-1. Without faketime the clock is the machine's own; without the right to mount, the disk is; without strace
//     no disk is slow. Such faults are never struck. (checked by review: `canStep`, `canFill` and `canSlow` decide which
//     faults are chosen)

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What shifts a program's clock; empty if faketime is missing. */
const LIBRARY = ((): string => {
  const asked = spawnSync("faketime", ["-m", "-f", "+0", "printenv", "LD_PRELOAD"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : "";
})();
/** What makes each write to the disk wait; empty if strace is missing. */
const SLOW = ((): readonly string[] => {
  const syncs = "fsync,fdatasync,msync";
  const options = ["-f", "-qq", "-o", "/dev/null", "-e", `trace=${syncs}`];
  const inject = ["-e", `inject=${syncs}:delay_exit=300ms`];
  return spawnSync("strace", [...options, ...inject, "true"]).status === 0 ? [...options, ...inject] : [];
})();
/** Room for a store, and little enough to be filled at once. */
const DISK = "96m";
const BLOCK = Buffer.alloc(1024 * 1024);

export class Machine {
  /** The engine's data folder. */
  readonly data: string;
  readonly canFill: boolean;
  readonly canStep = LIBRARY !== "";
  readonly canSlow = SLOW.length > 0;
  readonly #dir = mkdtempSync(join(tmpdir(), "signalbox-machine-"));
  readonly #disk = join(this.#dir, "disk");
  readonly #clock = join(this.#dir, "clock");

  constructor() {
    this.data = join(this.#disk, "data");
    mkdirSync(this.#disk);
    this.step(0);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK},mode=700`, "tmpfs", this.#disk]);
    this.canFill = mounted.status === 0;
  }

  get env(): Readonly<Record<string, string>> {
    if (!this.canStep) return {};
    const file = { FAKETIME_TIMESTAMP_FILE: this.#clock, FAKETIME_CACHE_DURATION: "1" };
    return { LD_PRELOAD: LIBRARY, ...file, DONT_FAKE_MONOTONIC: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  }

  /** The clock shows the time that many seconds from now; a process sees it within a second. */
  step(seconds: number): void {
    const next = `${this.#clock}.next`;
    writeFileSync(next, seconds < 0 ? `${seconds}` : `+${seconds}`);
    renameSync(next, this.#clock);
  }

  /** Fills the disk to the last block. */
  fill(): void {
    if (!this.canFill) return;
    const file = openSync(this.#filler, "w");
    try {
      for (;;) writeSync(file, BLOCK);
    } catch {
      // The disk is full: that is what was wanted.
    } finally {
      closeSync(file);
    }
  }

  /** Until the result is called, each write to the disk by these processes takes 0.3 s longer. */
  slow(pids: readonly number[]): () => Promise<void> {
    const tracers = pids.map((pid) => spawn("strace", [...SLOW, "-p", String(pid)], { stdio: "ignore" }));
    return async () => {
      await Promise.all(tracers.map(ended));
    };
  }

  /** Takes back what `fill` wrote. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  get #filler(): string {
    return join(this.#disk, "filler");
  }

  /** Must be called once no process is left there. */
  dispose(): void {
    if (this.canFill) spawnSync("umount", [this.#disk]);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** It lets go of what it traces. */
async function ended(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const gone = once(tracer, "exit");
  tracer.kill("SIGINT");
  await gone;
}
