// Counted
// The cost of one message in a session with ten calls and in one with ten thousand: in counts, without a clock.

import { describe, expect, test } from "vitest";
import { sessionAddress, type SessionId, type SourceInput } from "../../../machines/index.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { encode } from "../../../runtime/rows/codec.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { freshMeta } from "../../../runtime/rows/meta.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import type { Write } from "../../../runtime/ports.ts";
import { turn } from "../../../runtime/turn/turn.ts";
import { allEnded } from "../../../runtime/turn/unended.ts";
import { Rig, START_MS, translate, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said, unnamed } from "../../support/sessions/said.ts";
import { keyOf, WrappedStore } from "../../support/faults/wrapped-store.ts";
import { clients } from "../../../adapters/composition/clients.ts";

interface Cost {
  /** Rows read from the store: every row is dropped after each turn, so this is all that the message looked at. */
  readonly reads: number;
  readonly puts: number;
  readonly deletions: number;
  readonly bytes: number;
  /** The largest row written, of those that hold one record. */
  readonly widest: number;
  /** The largest that the session's own row was: four books stand in it beside its own (SESSION-RECORDS-4). */
  readonly home: number;
}

const HOME = keys.actor(sessionAddress(WORKSPACE, "s1" as SessionId));

const bytesOf = (write: Write): number => ("put" in write ? write.put.length + write.value.length : 0);

/** A store and journal as a session of these messages leaves them; applied without commits, to save time. */
function diskAfter(messages: readonly (readonly SourceInput[])[]): MemoryDisk {
  const disk = new MemoryDisk("rig");
  const layer = new Layer({ get: () => undefined, keys: () => [] });
  layer.set(keys.meta, freshMeta(disk.incarnation));
  allEnded(layer);
  const base = { door: "in", workspace: WORKSPACE, session: "s1", source: "test", type: "test.inputs" };
  for (const [index, data] of [[said.prompt("p1")], ...messages].entries()) {
    const entry = {
      position: index + 1,
      at: START_MS,
      body: JSON.stringify({ ...base, id: `h${index}`, data }),
    };
    expect(turn(layer, entry, { clients, translate, digest: digestId, epoch: 0 }).outcome).toBe("applied");
  }
  for (const [key, value] of layer.writes()) if (value !== undefined) disk.rows.set(key, encode(key, value));
  disk.trimmed = messages.length + 1;
  return disk;
}

/** The total cost of `rounds` more messages after these. */
async function costAfter(history: readonly (readonly SourceInput[])[], rounds: number): Promise<Cost> {
  const disk = diskAfter(history);
  const written: Write[] = [];
  let reads = (): number => 0;
  const rig = await Rig.start({
    disk,
    groupMax: 1,
    passivateAlways: true,
    wrapStore: (inner) => {
      const store = new WrappedStore(inner, (writes, commit) => {
        written.push(...writes);
        return commit();
      });
      reads = () => store.reads;
      return store;
    },
  });
  await rig.quiet();
  const before = reads();
  written.length = 0;
  for (let round = 0; round < rounds; round += 1)
    for (const inputs of next(round)) expect((await rig.tell("s1", ...inputs)).outcome).toBe("applied");
  const puts = written.filter((write) => "put" in write);
  return {
    reads: reads() - before,
    puts: puts.length,
    deletions: written.length - puts.length,
    bytes: written.reduce((sum, write) => sum + bytesOf(write), 0),
    widest: Math.max(...puts.filter((write) => !["meta", HOME].includes(keyOf(write))).map(bytesOf)),
    home: Math.max(...puts.filter((write) => keyOf(write) === HOME).map(bytesOf)),
  };
}

const many = (count: number, make: (n: number) => readonly SourceInput[]) =>
  Array.from({ length: count }, (_, n) => make(n));

/** The history of a session: `count` calls of this kind, or fewer if more make no difference. */
const HISTORIES: Readonly<Record<string, (count: number) => readonly (readonly SourceInput[])[]>> = {
  "10,000 open calls, each its own": (count) => many(count, (n) => [said.pre(call(`c${n}`))]),
  "10,000 open calls, all alike": (count) =>
    many(count, (n) => [said.pre(call(`c${n}`, "Bash", { command: "ls" }))]),
  "10,000 open calls, all alike and without ids": (count) =>
    many(count, () => [said.announced(unnamed("Bash", { command: "ls" }))]),
  "10,000 finished calls, each its own": (count) =>
    many(count, (n) => [said.pre(call(`c${n}`)), said.post(call(`c${n}`))]),
  "10,000 finished calls, all alike": (count) =>
    many(count, (n) => {
      const ref = call(`c${n}`, "Bash", { command: "ls" });
      return [said.pre(ref), said.post(ref)];
    }),
  "2,000 calls asked about and finished": (count) =>
    many(Math.min(count, 2_004), (n) => [
      said.pre(call(`c${n}`)),
      said.ask(`a${n}`, call(`c${n}`)),
      said.answered(`a${n}`, call(`c${n}`), "approve"),
      said.post(call(`c${n}`)),
    ]),
  "1,000 results that wait for their call": (count) =>
    many(Math.min(count, 1_000), (n) => [said.post(call(`early${n}`))]),
};

/** The next messages: each kind of event in a call's life. */
const next = (round: number): readonly (readonly SourceInput[])[] => {
  const ref = call(`next${round}`);
  const later = call(`later${round}`);
  const alike = unnamed("Bash", { command: "ls" });
  return [
    [said.announced(ref)],
    [said.pre(ref)],
    [said.ask(`a-${round}`, ref)],
    [said.answered(`a-${round}`, ref, "approve")],
    [said.post(ref)],
    [said.announced(alike)],
    [said.pre(alike)],
    [said.post(alike)],
    [said.post(later)],
    [said.pre(later)],
  ];
};

/** A chunk of a line holds 16 ids: over so many rounds each line crosses the same borders, whatever its length. */
const ROUNDS = 16;
const MESSAGES = ROUNDS * next(0).length;
/** 10,000 and a few: the chunk borders lie where they do after 100. */
const LOTS = 10_004;

describe("no record grows with history", () => {
  test.each(Object.keys(HISTORIES))(
    "G35, S0.4: after %s an event costs what it does after 100, row for row, and little more than after 10",
    async (name) => {
      const [ten, hundred, lots] = await Promise.all(
        [10, 100, LOTS].map((count) => costAfter(HISTORIES[name]?.(count) ?? [], ROUNDS)),
      );
      if (!ten || !hundred || !lots) throw new Error(`No cost after ${name}`);
      const told = [ten, hundred, lots].map((cost) => JSON.stringify(cost)).join("\n");
      const rows = ({ reads, puts, deletions }: Cost) => ({ reads, puts, deletions });
      expect(rows(lots), told).toEqual(rows(hundred));
      // Numbers have more digits; nothing else differs.
      expect(lots.bytes / hundred.bytes, told).toBeLessThan(1.06);
      // A short line stands in the session's row; one that has outgrown it has rows of its own, whatever its length.
      const more = lots.puts + lots.deletions - ten.puts - ten.deletions;
      expect(lots.reads / ten.reads, told).toBeLessThan(1.2);
      expect(more / MESSAGES, told).toBeLessThan(4);
      expect(lots.bytes / ten.bytes, told).toBeLessThan(1.2);
      expect(lots.widest, told).toBeLessThanOrEqual(4_096);
      expect(lots.home, told).toBeLessThanOrEqual(2 * 4_096);
    },
  );
});
