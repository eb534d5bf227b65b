// Memory engine
// An engine on the reference adapters, for tests: everything is real but the disk.

import { MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "./manual-clock.ts";
import { clients, translate } from "../../../adapters/composition/clients.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { Engine, type EngineOptions } from "../../../runtime/engine/engine.ts";

export async function memoryEngine(disk = new MemoryDisk("test"), options: Partial<EngineOptions> = {}) {
  const clock = new ManualClock(1_800_000_000_000);
  const engine = new Engine({
    store: new MemoryStore(disk),
    journal: new MemoryJournal(disk, clock),
    clock,
    digest: digestId,
    clients,
    translate,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  await engine.start();
  return { engine, clock, disk };
}
