// Hold-back, compared with a model: any numbers in any order, repeated, late, huge, over restarts.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { type SourceMessage, writeMessage } from "../../../runtime/message.ts";
import { type Fate, LineModel } from "../../support/properties/line-model.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { changesIn, Rig, START_MS, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import type { SessionId } from "../../../machines/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";

type Step =
  | { readonly say: readonly [source: string, sequence: number, bytes: number] }
  | { readonly again: number }
  | { readonly waitMs: number }
  | { readonly kill: "at once" | "at rest" };

const sequence = fc.oneof(
  { weight: 8, arbitrary: fc.nat(7) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53 - 1, 2 ** 53 - 2, 1_000) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      say: fc.tuple(fc.constantFrom("gateway", "bot"), sequence, fc.constantFrom(0, 0, 0, 0, 400_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ again: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ waitMs: fc.constantFrom(1, 10_000, 29_999, 30_000, 31_000) }) },
  { weight: 1, arbitrary: fc.record({ kill: fc.constantFrom("at once" as const, "at rest" as const) }) },
);
const runs = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 24 }),
  groupMax: fc.constantFrom(1, 64),
});

/** A message that makes one call of its own. */
const numbered = (id: string, source: string, n: number, bytes: number): SourceMessage => ({
  door: "in",
  workspace: WORKSPACE,
  session: "s1" as SessionId,
  source,
  id,
  type: "test.inputs",
  sequence: n,
  data: [said.announced(call(id, "Bash", { fill: "x".repeat(bytes) }))],
});

/** Ids of calls in the order they were entered: that of the change log. */
const entered = (disk: MemoryDisk): readonly string[] =>
  changesIn(disk.rows.range({ gte: "change/", lt: "change0" }))
    .filter(({ entity, to }) => entity === "toolcall" && to === "created")
    .map(({ id }) => id);

const gapsIn = (rig: Rig): readonly string[] => {
  const ledger = rig.row("ledger/w/s1") as { rejections: { what: string; reason: string }[] } | undefined;
  return (ledger?.rejections ?? []).filter(({ what }) => what === "gap").map(({ reason }) => reason);
};

/** Plays the steps into an engine and into the model, and compares the two after each. */
async function compare({ steps, groupMax }: { steps: readonly Step[]; groupMax: number }): Promise<void> {
  const disk = new MemoryDisk("line");
  const manual = new ManualClock(START_MS);
  let rig = await Rig.start({ disk, manual, groupMax });
  const model = new LineModel();
  const sent: SourceMessage[] = [];
  const fates: (readonly [Fate, Promise<Reply>])[] = [];
  const tell = async (message: SourceMessage): Promise<void> => {
    const { id, source, sequence: n = 0 } = message;
    const bytes = Buffer.byteLength(writeMessage(message));
    const fate = model.hear({ id, source, sequence: n, bytes }, manual.now());
    const { settled } = await rig.engine.submit(message);
    // A killed engine answers nobody.
    settled.catch(() => undefined);
    fates.push([fate, settled]);
  };
  const pass = async (ms: number): Promise<void> => {
    await rig.quiet();
    manual.advance(ms);
    await rig.quiet();
    model.pass(manual.now());
  };
  for (const each of steps) {
    if ("say" in each) {
      const message = numbered(`m${sent.length}`, ...each.say);
      sent.push(message);
      await tell(message);
    } else if ("again" in each) {
      const message = sent[each.again % Math.max(1, sent.length)];
      if (message) await tell(message);
    } else if ("waitMs" in each) await pass(each.waitMs);
    else {
      if (each.kill === "at rest") await rig.quiet();
      else fates.length = 0;
      rig.kill();
      rig = await rig.restart();
    }
  }
  await rig.quiet();
  for (const [{ ...fate }, settled] of fates) expect(await settled).toMatchObject(fate);
  expect(entered(disk)).toEqual(model.applied);
  await pass(31_000);
  await pass(31_000);
  expect(model.waiting).toEqual([]);
  expect(entered(disk)).toEqual(model.applied);
  expect([...model.applied].sort()).toEqual(sent.map(({ id }) => id).sort());
  const wordsOf = ([source, first, last]: readonly [string, number, number]) =>
    `${first}${last > first ? `–${last}` : ""} of ${source}`;
  const told = gapsIn(rig).flatMap((reason) => reason.replace(/^.*: /, "").split(", "));
  expect(told).toEqual(model.gaps.map(wordsOf));
  expect(rig.rows("held/").size).toBe(0);
  expect(rig.fatals).toEqual([]);
  expect(rig.defects).toEqual([]);
}

describe("G13: numbered messages", () => {
  it("G13, I-23, G1: whatever their numbers, each is applied once, in the order the model gives, over restarts", () =>
    holdsLater("test/runtime/turn/holdback.model.test.ts", 300, runs, compare));

  const waits = (source: string, count: number): readonly Step[] =>
    Array.from({ length: count }, (_, n) => ({ say: [source, n + 3, 0] as const }));

  it.each([0, 1])(
    "G13, I-37: 1,024 messages wait, and with %i more the engine lets on whom the model does",
    (more) => compare({ steps: [...waits("gateway", 600), ...waits("bot", 424 + more)], groupMax: 64 }),
  );

  it("G13, I-37: exactly 1 MiB waits; a byte more does not", async () => {
    const filled = (n: number, bytes: number): number =>
      bytes - Buffer.byteLength(writeMessage(numbered("m0", "bot", n, 0)));
    const first: Step = { say: ["bot", 3, filled(3, 600_000)] };
    const rest = 1024 ** 2 - 600_000;
    for (const more of [0, 1])
      await compare({ steps: [first, { say: ["bot", 5, filled(5, rest + more)] }], groupMax: 1 });
  });
});
