// Recorded
// What an engine writes to its store, message by message: what a bare writer has to write to do the same.
//
//   Owns:          an engine in memory whose store keeps its commits.
//   Does not own:  writing it again (the rows' baselines).

import { MemoryDisk, MemoryJournal, MemoryStore } from "../adapters/memory/index.ts";
import { ManualClock } from "../test/support/engine/manual-clock.ts";
import { type Message, writeMessage } from "../runtime/message.ts";
import type { Store, Write } from "../runtime/ports.ts";
import { engineOn } from "./scratch.ts";
import { post, pre, prompt, sessionId } from "./workload.ts";

export interface WrittenTurn {
  readonly body: string;
  readonly writes: readonly Write[];
}

function keeping(store: Store, commits: (readonly Write[])[]): Store {
  return {
    open: () => store.open(),
    get: (key) => store.get(key),
    range: (range) => store.range(range),
    close: () => store.close(),
    commit: (writes) => {
      commits.push(writes);
      return store.commit(writes);
    },
  };
}

/** The body of every message and the rows of its commit; each message is durable before the next is sent. */
export async function recorded(
  setUp: readonly Message[],
  messages: readonly Message[],
): Promise<readonly WrittenTurn[]> {
  const commits: (readonly Write[])[] = [];
  const disk = new MemoryDisk("bench");
  const engine = engineOn({
    store: keeping(new MemoryStore(disk), commits),
    journal: new MemoryJournal(disk, new ManualClock(1_800_000_000_000)),
  });
  await engine.start();
  for (const message of setUp) await (await engine.submit(message)).settled;
  const turns: WrittenTurn[] = [];
  for (const message of messages) {
    commits.length = 0;
    await (
      await engine.submit(message)
    ).settled;
    turns.push({ body: writeMessage(message), writes: commits.flat() });
  }
  await engine.stop();
  return turns;
}

/** What is said of calls of session 0. */
export function recordedTurns(
  count: number,
  say: (n: number) => readonly Message[],
): Promise<readonly WrittenTurn[]> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  return recorded([prompt(sessionId(0))], numbers.flatMap(say));
}

/** Pre and Post of calls of session 0. */
export const recordedCalls = (count: number): Promise<readonly WrittenTurn[]> =>
  recordedTurns(count, (n) => [pre(sessionId(0), n), post(sessionId(0), n)]);
