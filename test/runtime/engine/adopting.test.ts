// A store with another journal: refused, or adopted on request.

import { expect, test } from "vitest";
import { MemoryDisk, MemoryJournal } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { START_MS, Rig } from "../../support/engine/rig.ts";
import { said } from "../../support/sessions/said.ts";

test("STORE-JOURNAL-2: another journal is refused, and the refusal names the command that adopts it", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"));
  await rig.engine.stop();
  const other = new MemoryJournal(new MemoryDisk("other"), new ManualClock(START_MS));
  const start = rig.restart({ wrapJournal: () => other });
  await expect(start).rejects.toMatchObject({
    code: "JOURNAL_REGRESSED",
    next: expect.stringContaining("signalbox up --adopt-journal") as string,
  });
});

test("STORE-JOURNAL-1: an adopted journal is read from its beginning, after everything the store has", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"));
  await rig.tell("s1", said.prompt("p2"));
  const before = rig.engine.meta();
  await rig.engine.stop();

  const disk = new MemoryDisk("other");
  const waiting = new MemoryJournal(disk, rig.clock);
  await waiting.open(undefined);
  await waiting.append([JSON.stringify(rig.message("s1", [said.prompt("p3")]))]);
  const wrapJournal = () => new MemoryJournal(disk, rig.clock);
  const adopting = await rig.restart({ wrapJournal, adoptJournal: true });
  const after = adopting.engine.meta();
  expect(after).toMatchObject({ incarnation: "other", position: before.position + 1 });
  expect(adopting.changes.every(({ turn }) => turn > before.position)).toBe(true);
  expect(adopting.state("s1/request/p3")).toMatchObject({ lifecycle: { processing: "running" } });
  const reply = await adopting.tell("s1", said.prompt("p4"));
  expect(reply).toMatchObject({ outcome: "applied", position: before.position + 2 });
  await adopting.engine.stop();

  // From then on it is the store's own: it is not adopted twice, and the former one does not fit.
  const again = await rig.restart({ wrapJournal, adoptJournal: true });
  expect(again.engine.meta().position).toBe(before.position + 2);
  await again.engine.stop();
  await expect(rig.restart()).rejects.toMatchObject({ code: "JOURNAL_REGRESSED" });
});

test("STORE-JOURNAL-2: a journal that fits is not adopted", async () => {
  const rig = await Rig.start();
  await rig.tell("s1", said.prompt("p1"));
  const before = rig.engine.meta();
  await rig.engine.stop();
  const again = await rig.restart({ adoptJournal: true });
  expect(again.engine.meta()).toEqual(before);
});
