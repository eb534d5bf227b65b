// Scratch
// Engines on folders of their own, which go when the benchmark ends.
//
//   Owns:          the folders, the wiring of an engine for measuring.
//   Does not own:  the wiring people run (adapters/compose).

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LmdbFolder, openLmdb } from "../adapters/lmdb/index.ts";
import { systemClock } from "../adapters/system/index.ts";
import { clients, translate } from "../adapters/composition/clients.ts";
import { digestId } from "../runtime/foreign-id.ts";
import { Engine, type EngineOptions } from "../runtime/engine/engine.ts";
import type { Journal, Outlet, Store } from "../runtime/ports.ts";

const folders: string[] = [];

/** @returns a new folder on the disk that holds the system's temporary files, or under SIGNALBOX_BENCH_DIR. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"));
  folders.push(folder);
  return folder;
}

export function removeScratch(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Bench {
  readonly engine: Engine;
  readonly folder: LmdbFolder;
}

const fail = (error: Error): never => {
  throw error;
};

interface Ports {
  readonly store: Store;
  readonly journal: Journal;
  readonly outlet?: Outlet;
}

export function engineOn(
  ports: Ports,
  options: Pick<Partial<EngineOptions>, "clock" | "configuration"> = {},
): Engine {
  return new Engine({
    clock: systemClock(),
    ...ports,
    ...options,
    digest: digestId,
    clients,
    translate,
    onFatal: fail,
  });
}

/** A started engine on an LMDB folder. */
export async function lmdbEngine(dir = scratchFolder()): Promise<Bench> {
  const folder = openLmdb(dir, systemClock());
  const engine = engineOn(folder);
  await engine.start();
  return { engine, folder };
}
