// Junk
// Unreadable entries by the thousand: some get letters, one letter reports the others, and the engine goes on.

import { describe, expect, test } from "vitest";
import { MemoryJournal } from "../../../../adapters/memory/index.ts";
import { ENGINE, writeMessage } from "../../../../runtime/message.ts";
import { at } from "../../../support/engine/json.ts";
import { Rig } from "../../../support/engine/rig.ts";
import { call, said } from "../../../support/sessions/said.ts";

async function flood(rig: Rig, bodies: readonly string[]): Promise<void> {
  const journal = new MemoryJournal(rig.disk, rig.clock);
  await journal.open(undefined);
  await journal.append(bodies);
  await rig.quiet();
}
const junk = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `junk ${n}`);
const letters = (rig: Rig): readonly unknown[] =>
  [...rig.rows("dead/").values()].map((row): unknown => JSON.parse(row));
const codes = (rig: Rig): readonly unknown[] => letters(rig).map((letter) => at(letter, "code"));

describe("UNREADABLE-ENTRIES-1: junk in the journal", () => {
  test("UNREADABLE-ENTRIES-1: of a flood 50 get letters; the first turn of a later second reports once how many got none", async () => {
    const rig = await Rig.start();
    await flood(rig, junk(1_000));
    expect(codes(rig)).toEqual(Array.from({ length: 50 }, () => "NOT_JSON"));
    expect((await rig.tell("s1", said.prompt("p1"))).outcome).toBe("applied");
    expect(codes(rig)).toHaveLength(50);
    rig.clock.advance(1_000);
    const { position } = await rig.tell("s1", said.pre(call("c1")));
    expect(codes(rig)).toHaveLength(51);
    expect(letters(rig).at(-1)).toMatchObject({ n: 51, position, code: "UNRECORDED", unrecorded: 950 });
    rig.clock.advance(1_000);
    await rig.tell("s1", said.pre(call("c2")));
    expect(codes(rig)).toHaveLength(51);
    await flood(rig, junk(3));
    expect(codes(rig).slice(51)).toEqual(["NOT_JSON", "NOT_JSON", "NOT_JSON"]);
    expect(rig.fatals).toEqual([]);
  });

  test("UNREADABLE-ENTRIES-1, G7: the count survives a restart, and a replay gives the same letters", async () => {
    const run = async (restarts: boolean): Promise<readonly unknown[]> => {
      const rig = await Rig.start();
      await flood(rig, junk(60));
      const after = restarts ? await rig.restart() : rig;
      await flood(after, junk(10));
      after.clock.advance(2_000);
      await flood(after, ["{}"]);
      return letters(after);
    };
    const [once, again] = [await run(false), await run(true)];
    expect(once.at(-2)).toMatchObject({ code: "UNRECORDED", unrecorded: 20 });
    expect(once.at(-1)).toMatchObject({ code: "NOT_A_MESSAGE" });
    expect(again).toEqual(once);
  });

  test("UNREADABLE-ENTRIES-1: refusals of the NATS door count; the other door has counted its own", async () => {
    const rig = await Rig.start();
    const refused = (door: string): readonly string[] =>
      Array.from({ length: 60 }, () => {
        const said = { type: "refused", code: "BAD_SUBJECT", reason: "no", bytes: 0, body: "" } as const;
        return writeMessage({ door: "own", ...ENGINE, said: { ...said, door, by: "nats" } });
      });
    await flood(rig, refused("nats"));
    expect(codes(rig)).toHaveLength(50);
    await flood(rig, refused("http:/v1/events"));
    expect(codes(rig)).toHaveLength(110);
  });

  test("UNREADABLE-ENTRIES-1: a waiting caller hears the reason, letter or not", async () => {
    const rig = await Rig.start();
    await flood(rig, junk(60));
    const { settled } = await rig.submit("s1", [], { type: "test.refused" });
    expect(await settled).toMatchObject({ outcome: "dead", code: "BAD_SHAPE" });
    expect(codes(rig)).toHaveLength(50);
  });
});
