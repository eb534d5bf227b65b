// Memory engine
// An engine on the reference adapters, for tests: everything real but the disk.

import { toolInput } from "../../runtime/door/canonical.ts";
import { digestId } from "../../runtime/door/foreign-id.ts";
import { Engine, type EngineOptions } from "../../runtime/engine.ts";
import { ManualClock, MemoryDisk, MemoryJournal, MemoryStore } from "../../adapters/memory/index.ts";
import { translateHook, translateHookAnswer, translateStreamLine, translateTranscriptLine } from "../../adapters/claude-code/index.ts";
import type { SourceMessage } from "../../runtime/message.ts";
import type { SourceInput } from "../../machines/index.ts";

export function translate(message: SourceMessage): readonly SourceInput[] {
  const data = message.data as { hook?: unknown; answer?: string };
  if (message.type === "claude-code.hook") {
    const payload = data.hook;
    return [...translateHook(payload, toolInput).inputs, ...(data.answer === undefined ? [] : translateHookAnswer(payload, data.answer, toolInput).inputs)];
  }
  if (message.type === "claude-code.stream") return translateStreamLine(message.data, toolInput).inputs;
  return translateTranscriptLine(message.data, toolInput).inputs;
}

export async function memoryEngine(disk = new MemoryDisk(), options: Partial<EngineOptions> = {}) {
  const clock = new ManualClock(1_800_000_000_000);
  const engine = new Engine({
    store: new MemoryStore(disk),
    journal: new MemoryJournal(disk, clock),
    clock,
    digest: digestId,
    translate,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  await engine.start();
  return { engine, clock, disk };
}
