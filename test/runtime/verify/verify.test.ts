// Verify
// A replay of what the journal holds comes to what was kept; what would make it differ is found and named.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import type { SessionId, SourceInput } from "../../../machines/index.ts";
import { KeptProofs } from "../../../runtime/verify/kept-proofs.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import type { SourceMessage } from "../../../runtime/message.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { FORMAT_3 } from "../../support/engine/stored-format.ts";
import { DAY_MS, HOUR_MS, Rig, translate } from "../../support/engine/rig.ts";
import { planted, rowsWithProofs, verified } from "../../support/engine/verifying.ts";
import { changed } from "../../support/properties/changed.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { messages, play } from "../../support/sessions/play.ts";
import { recording } from "../../support/sessions/recording.ts";
import { busy } from "../../support/sessions/busy.ts";
import { call, said } from "../../support/sessions/said.ts";
import { carried, messagesOf } from "../../support/sessions/turns.ts";

describe("a replay of the journal", () => {
  test("G57, VERIFY-1: recorded sessions, a denial, letters, keys, deadlines and sweeps lead to the same again", async () => {
    const rig = await Rig.start();
    for (const name of ["s1-ten-allowed", "s6-subagent", "s3-permreq-deny-interrupt"])
      await play(rig.engine, rig.clock, messages(recording(name), ["hooks", "stream"]));
    await busy(rig, "s1");
    await rig.pass(3 * DAY_MS, HOUR_MS);
    const found = await verified(rig.disk);
    expect(found).toMatchObject({
      first: 1,
      last: rig.disk.tail,
      earlier: 0,
      unproven: 0,
      differences: [],
      rows: { differences: [] },
    });
    expect(found.compared).toBe(rig.disk.tail);
    expect(rig.saidOwn("timer.fired").length).toBeGreaterThan(3);
    expect(rig.saidOwn("swept").length).toBeGreaterThan(3);
  });

  test("VERIFY-1, I-36: after random histories, groups of any length and kills at any time no entry differs", async () => {
    const histories = fc.tuple(
      sessions(12),
      sessions(12),
      fc.array(fc.nat(15), { minLength: 80, maxLength: 80 }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ([one, other, chance]) => {
        let rig = await Rig.start({ translate: carried, groupMax: 1 + (chance[0] ?? 0) });
        const all = [messagesOf(one), messagesOf(other, "s2" as SessionId)].flat();
        for (const [index, message] of all.entries()) {
          const sent = rig.engine.submit(message).catch(() => undefined);
          if (chance[index + 1] === 0) {
            rig.kill();
            rig = await rig.restart();
          } else await sent;
        }
        await rig.quiet();
        const found = await verified(rig.disk, { translate: carried });
        expect([found.differences, found.rows.differences]).toEqual([[], []]);
        expect(found.compared).toBe(rig.disk.tail);
        await rig.engine.stop();
      }),
      { numRuns: 40 },
    );
  });

  test("VERIFY-1: a turn that depends on something else than its entry and the rows is named, and nothing before it", async () => {
    let told = 0;
    const counting = (message: SourceMessage): readonly SourceInput[] =>
      translate(message).map((input) =>
        input.type === "request.created" ? { ...input, requestId: `r${(told += 1)}` as never } : input,
      );
    const rig = await Rig.start({ translate: counting });
    await rig.tell("s1", said.prompt("p1"));
    const { position } = await rig.tell("s1", said.created("r"));
    await rig.tell("s2", said.prompt("p2"));
    const { differences } = await verified(rig.disk, { translate: counting });
    expect(differences).toHaveLength(1);
    expect(differences[0]).toMatchObject({
      position,
      workspace: "w",
      session: "s1",
      type: "test.inputs",
      isOtherBuild: false,
    });
    expect(differences[0]?.kept).toMatch(/^[0-9a-f]{16}$/);
    expect(differences[0]?.found).not.toBe(differences[0]?.kept);
    expect((await verified(rig.disk, { translate: counting, from: position + 1 })).differences).toEqual([]);
    told = 0;
    expect((await verified(rig.disk, { translate: counting, session: "s2" })).differences).toEqual([]);
  });

  test("VERIFY-1: a changed proof is named, whatever kind of entry it is about", async () => {
    const rig = await Rig.start();
    await busy(rig, "s1");
    await rig.quiet();
    const clean = await verified(rig.disk);
    expect(clean.differences).toEqual([]);
    for (let position = 1; position <= rig.disk.tail; position += 1) {
      const unplant = planted(rig.disk, position);
      const { differences } = await verified(rig.disk);
      expect(differences.map((each) => each.position)).toEqual([position]);
      unplant();
    }
  });

  test("PROOF-2, VERIFY-1: an entry that was taken for poison is set aside again", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    const { position } = rig.engine.meta();
    await rig.engine.stop();
    // What three processes that died at the next entry leave behind.
    rig.disk.entries.push({
      position: position + 1,
      at: rig.clock.now(),
      body: JSON.stringify(rig.message("s1", [said.stop()])),
    });
    rig.disk.rows.set(keys.trying, JSON.stringify({ position: position + 1, times: 9 }));
    const next = await rig.restart();
    await next.tell("s1", said.pre(call("c1")));
    const found = await verified(rig.disk);
    expect([found.differences, found.rows.differences]).toEqual([[], []]);
    expect(new KeptProofs(rig.disk.rows).of(position + 1)?.isPoison).toBe(true);
  });
});

describe("what a replay cannot know", () => {
  test("VERIFY-2: after a change of settings within a trimmed journal, the sessions that began after that", async () => {
    const rig = await Rig.start({ configuration: { ...DEFAULT_CONFIGURATION, hungAfterMs: HOUR_MS } });
    await rig.tell("s1", said.prompt("p1"));
    const trimmed = rig.disk.tail;
    rig.disk.entries.splice(0, trimmed - rig.disk.trimmed);
    rig.disk.trimmed = trimmed;
    await busy(rig, "s2");
    await rig.engine.stop();
    const next = await rig.restart({ configuration: { ...DEFAULT_CONFIGURATION, hungAfterMs: 2 * HOUR_MS } });
    const from = next.disk.tail;
    await busy(next, "s3");
    await next.quiet();
    const found = await verified(next.disk);
    expect([found.differences, found.rows.differences]).toEqual([[], []]);
    expect(found.compared).toBe(next.disk.tail - from);
  });

  test("VERIFY-1: entries that an older version applied have no proof, and what follows is told as another build's", async () => {
    const rig = await Rig.start({
      disk: FORMAT_3.disk(),
      manual: new ManualClock(FORMAT_3.meta.at + 1_000),
      build: "2",
    });
    await rig.tell("s1", said.prompt("p1"));
    await rig.quiet();
    const found = await verified(rig.disk, { build: "2" });
    expect(found.unproven).toBe(FORMAT_3.meta.position);
    expect(found.compared).toBeGreaterThan(0);
    expect(found.differences.filter(({ isOtherBuild }) => !isOtherBuild)).toEqual([]);
  });

  test("VERIFY-1: a difference under another build is told as one", async () => {
    const rig = await Rig.start({ build: "1" });
    await rig.tell("s1", said.prompt("p1"));
    await rig.engine.stop();
    const next = await rig.restart({ build: "2" });
    await next.tell("s1", said.pre(call("c1")));
    for (let position = 1; position <= rig.disk.tail; position += 1) planted(rig.disk, position);
    const toldBy = async (build: string) =>
      (await verified(rig.disk, { build })).differences.map(({ isOtherBuild }) => isOtherBuild);
    expect((await toldBy("1")).slice(0, 1)).toEqual([false]);
    expect((await toldBy("1")).at(-1)).toBe(true);
    expect(new Set(await toldBy("2"))).toEqual(new Set([true]));
    expect(new Set(await toldBy("3"))).toEqual(new Set([true]));
  });

  test("VERIFY-3: the verified store is not written to, and an empty one has nothing to compare", async () => {
    const rig = await Rig.start();
    await busy(rig, "s1");
    const before = rig.rows();
    await verified(rig.disk);
    expect(rig.rows()).toEqual(before);
    const fresh = await Rig.start({ disk: rig.disk, manual: rig.clock });
    expect(fresh.fatals).toEqual([]);
  });

  test("PROOF-1: proofs go with the changes, after seven days", async () => {
    const rig = await Rig.start();
    await busy(rig, "s1");
    const busyUntil = rig.disk.tail;
    expect(rig.rows(keys.proofs).size).toBeGreaterThan(0);
    await rig.pass(9 * DAY_MS, 6 * HOUR_MS);
    expect([...rig.rows(keys.proofs).keys()].every((key) => key > keys.proof(9))).toBe(true);
    const kept = new KeptProofs(rig.disk.rows);
    for (let position = 1; position <= busyUntil; position += 1) expect(kept.of(position)).toBeUndefined();
  });

  test("PROOF-3: the proof of a turn that changes something stands with its changes and costs no row", async () => {
    const rig = await Rig.start();
    await rig.tell("s1", said.prompt("p1"));
    const before = rig.rows();
    await rig.tell("s1", said.pre(call("c1")));
    const { position } = await rig.tell("s1", said.post(call("c1")));
    expect(changed(before, rig.rows()).filter((key) => key.startsWith(keys.proofs))).toEqual([]);
    expect(new KeptProofs(rig.disk.rows).of(position)?.digest).toMatch(/^[0-9a-f]{16}$/);
  });

  test("KEPT-PROOFS-1, G9: however many rows the log has, each proof is found, and a damaged row hides its own", async () => {
    const rig = await Rig.start();
    for (let n = 0; n < 300; n += 1) await rig.tell("s1", said.pre(call(`c${n}`)), said.completed(`c${n}`));
    await rig.quiet();
    const [, damaged = ""] = rowsWithProofs(rig.disk);
    rig.disk.rows.set(damaged, "{");
    const found = await verified(rig.disk);
    expect(found).toMatchObject({
      unproven: 1,
      compared: rig.disk.tail - 1,
      differences: [],
      rows: { differences: [{ key: damaged, what: "unreadable" }] },
    });
  });
});
