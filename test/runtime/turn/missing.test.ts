// Missing
// A journal with unread entries missing: refused with their names, or read on, with a record of what is missing.

import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MemoryDisk, MemoryJournal } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import type { Meta } from "../../../runtime/rows/meta.ts";
import type { Missing } from "../../../runtime/ports.ts";
import { CutJournal } from "../../support/faults/cut-journal.ts";
import { at } from "../../support/engine/json.ts";
import { Rig, type RigOptions, START_MS, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";

/** Messages that nobody has read, after the tail: each makes a request. */
async function leave(rig: Rig, ...names: readonly string[]): Promise<void> {
  const journal = new MemoryJournal(rig.disk, rig.clock);
  await journal.open({ incarnation: rig.disk.incarnation, position: rig.disk.tail });
  await journal.append(
    names.map((name) => JSON.stringify(rig.message("s1", [said.created(name)], { id: name }))),
  );
}

const cut = (rig: Rig, holes: Missing[]): RigOptions => ({
  wrapJournal: (journal) => new CutJournal(journal, rig.disk, holes),
});
const requestsIn = ({ changes }: Rig): readonly string[] =>
  changes.filter(({ entity, from }) => entity === "request" && from === null).map(({ id }) => id);
const lettersIn = (rig: Rig): readonly unknown[] =>
  [...rig.rows("dead/").values()].map((text) => JSON.parse(text) as unknown);

/** An engine that has read five entries and stopped; six more wait. */
async function behind() {
  const rig = await Rig.start();
  for (const name of ["a", "b"]) await rig.tell("s1", said.created(name));
  await rig.engine.stop();
  const cursor = rig.engine.meta().position;
  await leave(rig, "r1", "r2", "r3", "r4", "r5", "r6");
  return { rig, cursor };
}

/** By the places of the holes after the cursor: the requests left of r1 to r6. */
const CUTS: readonly (readonly [
  what: string,
  holes: readonly (readonly [number, number])[],
  left: string,
])[] = [
  ["right behind the cursor", [[1, 2]], "r3 r4 r5 r6"],
  ["in the middle", [[3, 3]], "r1 r2 r4 r5 r6"],
  ["at the end", [[5, 6]], "r1 r2 r3 r4"],
  ["in several places", [[1, 1], [3, 4], [6, 6]], "r2 r5"], // prettier-ignore
  ["everything", [[1, 6]], ""],
];

describe("lost entries", () => {
  test.each(CUTS)(
    "STORE-JOURNAL-3: %s: the start is refused, names the missing entries and the command, and changes nothing",
    async (_, holes, _left) => {
      const { rig, cursor } = await behind();
      const before = rig.rows();
      const missing = holes.map(([first, last]) => ({ first: cursor + first, last: cursor + last }));
      const start = rig.restart(cut(rig, missing));
      await expect(start).rejects.toMatchObject({
        code: "JOURNAL_REGRESSED",
        missing,
        message: expect.stringContaining(
          missing.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(", "),
        ) as string,
        next: expect.stringContaining("signalbox up --adopt-journal") as string,
      });
      expect(rig.rows()).toEqual(before);
    },
  );

  test.each(CUTS)(
    "STORE-JOURNAL-3, G1: %s: adopted, the rest is applied in its place, and the missing entries have a letter that names them",
    async (_, holes, left) => {
      const { rig, cursor } = await behind();
      const missing = holes.map(([first, last]) => ({ first: cursor + first, last: cursor + last }));
      const count = holes.reduce((sum, [first, last]) => sum + last - first + 1, 0);
      const outlet = new MemoryOutlet();
      const adopting = await rig.restart({ ...cut(rig, missing), adoptJournal: true, outlet });
      expect(requestsIn(adopting).join(" ")).toBe(left);
      const named = { count, missing };
      expect(adopting.engine.recovered?.lost).toMatchObject(named);
      expect(adopting.engine.meta()).toMatchObject({ position: rig.disk.tail, lost: { entries: count } });
      const letter = lettersIn(adopting).find((each) => at(each, "code") === "JOURNAL_GAP");
      expect(JSON.parse(String(at(letter, "body")))).toEqual(named);
      expect(at(letter, "reason")).toContain(`${count} in all`);
      for (let n = 0; n < 20; n += 1) await nextTick();
      expect(outlet.letters.map(({ subject }) => subject)).toEqual(["signalbox.v1.dlq.journal-gap"]);
      expect((await adopting.tell("s1", said.created("after"))).position).toBe(rig.disk.tail);
      await adopting.engine.stop();

      // The cursor is past the missing entries: no later start meets them.
      const again = await rig.restart(cut(rig, missing));
      expect(again.engine.recovered?.lost).toBeUndefined();
      expect((await again.tell("s1", said.created("again"))).outcome).toBe("applied");
    },
  );

  test("JOURNAL-CURSOR-1: entries lost while the journal is open stop the engine, adopted or not, and the error names them", async () => {
    const { rig, cursor } = await behind();
    const holes: Missing[] = [{ first: cursor + 2, last: cursor + 2 }];
    const adopting = await rig.restart({ ...cut(rig, holes), adoptJournal: true });
    expect(requestsIn(adopting)).toHaveLength(5);
    const { tail } = rig.disk;
    holes.push({ first: tail + 2, last: tail + 2 });
    await adopting.tell("s1", said.created("one"));
    const lost = adopting.tell("s1", said.created("two"));
    await expect(lost).rejects.toMatchObject({ code: "STOPPING" });
    expect(adopting.fatals).toMatchObject([
      { code: "JOURNAL_REGRESSED", missing: [{ first: tail + 2, last: tail + 2 }] },
    ]);
  });

  test("PORTS-1: a journal whose beginning was dropped behind a reader says so, and can be read past it on request", async () => {
    const { rig, cursor } = await behind();
    rig.disk.entries = rig.disk.entries.slice(cursor + 2);
    rig.disk.trimmed = cursor + 2;
    await expect(rig.restart()).rejects.toMatchObject({ missing: [{ first: cursor + 1, last: cursor + 2 }] });
    const adopting = await rig.restart({ adoptJournal: true });
    expect(requestsIn(adopting)).toEqual(["r3", "r4", "r5", "r6"]);
  });
});

describe("G8: a lost entry may have been a denial", () => {
  const decide = (rig: Rig, id: string, decision: "approve" | "deny"): Promise<Reply> => {
    const inputHash = String(at(rig.row(`actor/${WORKSPACE}/s1/approval/${id}`), "context", "input", "hash"));
    const approvalId = id as ApprovalId;
    const word = { type: "decision", approvalId, decision, by: "ann", inputHash } as const;
    return rig.engine.own(WORKSPACE, "s1" as SessionId, word);
  };
  const stateOf = (rig: Rig, id: string): unknown => rig.state(`s1/approval/${id}`);

  /** Four approvals; an entry after them is missing. */
  async function asked(options: RigOptions = {}) {
    const rig = await Rig.start(options);
    await rig.tell("s1", said.prompt("p1"));
    for (const n of [1, 2, 3])
      await rig.tell("s1", said.pre(call(`c${n}`)), said.ask(`a${n}`, call(`c${n}`)));
    rig.clock.advance(1_000);
    return rig;
  }

  test("G8: an approval requested before is not approved, can be denied, and accepts the answer given where it was requested; a later one is approved", async () => {
    const before = await asked();
    await before.engine.stop();
    const { tail } = before.disk;
    await leave(before, "gone");
    const hole = { first: tail + 1, last: tail + 1 };
    const rig = await before.restart({ ...cut(before, [hole]), adoptJournal: true });
    expect(await decide(rig, "a1", "approve")).toMatchObject({
      outcome: "rejected",
      reason: expect.stringContaining("before entries of the journal were lost") as string,
    });
    expect(stateOf(rig, "a1")).toBe("pending");
    await rig.tell("s1", said.answered("a2", call("c2"), "approve"));
    // A source without its own policy has the calls after a denied one denied, too: so is the last one.
    expect(await decide(rig, "a3", "deny")).toMatchObject({ outcome: "applied" });
    expect(["a1", "a2", "a3"].map((id) => stateOf(rig, id))).toEqual(["pending", "approved", "denied"]);

    rig.clock.advance(1_000);
    await rig.tell("s1", said.pre(call("c4")), said.ask("a4", call("c4")));
    expect(await decide(rig, "a4", "approve")).toMatchObject({ outcome: "applied" });
    await rig.engine.stop();
    // For good: another start changes nothing.
    const again = await rig.restart();
    expect(await decide(again, "a1", "approve")).toMatchObject({ outcome: "rejected" });
  });

  test("G8: the same holds for a replaced journal: the last entries of the one before may be missing", async () => {
    const before = await asked();
    // Killed: nothing says that everything was read.
    const other = () => new MemoryJournal(new MemoryDisk("other"), new ManualClock(START_MS));
    const rig = await before.restart({ wrapJournal: other, adoptJournal: true });
    expect(rig.engine.recovered?.lost).toMatchObject({
      count: 0,
      reason: expect.stringMatching(/it is "other".*What it held after position \d+ is not known/) as string,
    });
    expect(await decide(rig, "a1", "approve")).toMatchObject({ outcome: "rejected" });
  });

  test("G8: a journal that nobody else can write to, read to its end and closed cleanly, is complete: leaving it loses nothing", async () => {
    const before = await asked();
    await before.engine.stop();
    const other = () => new MemoryJournal(new MemoryDisk("other"), new ManualClock(START_MS));
    const rig = await before.restart({ wrapJournal: other, adoptJournal: true });
    expect(rig.engine.recovered?.lost).toBeUndefined();
    expect((rig.row("meta") as Meta).lost).toBeUndefined();
    expect(await decide(rig, "a1", "approve")).toMatchObject({ outcome: "applied" });
    const approved = rig.changes.filter(({ to }: StateChange) => to === "approved");
    expect(approved.map(({ id }) => id)).toEqual(["a1"]);
  });
});
