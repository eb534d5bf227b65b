// Engine: partition
// An engine with a share of the workspaces: what its journal may have, and for what it may be started.

import { describe, expect, it } from "vitest";
import type { SourceInput, WorkspaceId } from "../../../machines/index.ts";
import { partitionOf } from "../../../runtime/cluster/partition.ts";
import { configured } from "../../../runtime/config.ts";
import { listAt } from "../../support/engine/json.ts";
import { HOUR_MS, Rig, type RigOptions, rowsOf } from "../../support/engine/rig.ts";
import { verified } from "../../support/engine/verifying.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import { said } from "../../support/sessions/said.ts";

const OF = 4;
const [OWN, OTHER] = [partitionOf("w", OF), (partitionOf("w", OF) + 1) % OF];
const foreign =
  Array.from({ length: 40 }, (_, n) => `w${n}`).find((name) => partitionOf(name, OF) !== OWN) ?? "";

const having = (number: number, of = OF): RigOptions => ({
  configuration: configured(clients.defaults, {}, { partition: `${number}/${of}` }),
});
const without: RigOptions = { configuration: configured(clients.defaults) };

const send = async (rig: Rig, workspace: string, ...inputs: SourceInput[]) =>
  (await rig.submit("s", inputs, { workspace: workspace as WorkspaceId })).settled;

/** Starts again on the same journal. @returns the code of the refusal, or what its journal has now. */
async function again(rig: Rig, options: RigOptions): Promise<unknown> {
  const next = new Rig({ ...options, disk: rig.disk, manual: rig.clock });
  try {
    await next.engine.start();
    return next.engine.meta().configuration.partition;
  } catch (error) {
    return (error as { readonly code: string }).code;
  } finally {
    await next.engine.stop();
  }
}

describe("partition", () => {
  it("TURN-2: a message of another partition in the journal is a dead letter, and changes nothing else", async () => {
    const rig = await Rig.start(having(OWN));
    expect(await send(rig, foreign, said.prompt("p1"))).toMatchObject({
      outcome: "dead",
      code: "OTHER_PARTITION",
    });
    expect(await send(rig, "w", said.prompt("p1"))).toMatchObject({ outcome: "applied" });
    expect([...rig.rows(`actor/${foreign}/`).keys()]).toEqual([]);
    expect([...rig.rows("actor/w/").keys()]).not.toEqual([]);
    expect(listAt([...rig.rows("dead/").values()].map((text) => JSON.parse(text) as unknown))).toMatchObject([
      { code: "OTHER_PARTITION", reason: expect.stringContaining(foreign) as string },
    ]);
  });

  it("TURN-2: an engine that reads the journal anew makes the same rows of it, whatever it was started for", async () => {
    const rig = await Rig.start(without);
    await send(rig, "w", said.prompt("p1"));
    await rig.engine.stop();
    const set = await rig.restart(having(OWN));
    await send(set, foreign, said.prompt("p2"));
    await send(set, "w", said.stop());
    await set.engine.stop();
    const disk = new MemoryDisk(rig.disk.incarnation);
    disk.entries = [...rig.disk.entries];
    const other = await Rig.start({ ...without, disk, manual: rig.clock });
    const letters = (of: MemoryDisk) => [...rowsOf(of, "dead/")];
    expect(letters(disk)).toEqual(letters(rig.disk));
    expect(letters(disk)).toHaveLength(1);
    expect([...rowsOf(disk, "actor/")]).toEqual([...rowsOf(rig.disk, "actor/")]);
    await other.engine.stop();
    expect(await verified(rig.disk)).toMatchObject({ differences: [] });
  });

  it("SAME-PARTITION-1: a journal keeps its partition: a start for another is refused, one without goes on with it", async () => {
    const rig = await Rig.start(having(OWN));
    await rig.engine.stop();
    expect(await again(rig, having(OTHER))).toBe("PARTITION_DIFFERS");
    expect(await again(rig, having(OWN, OF * 2))).toBe("PARTITION_DIFFERS");
    expect(await again(rig, having(OWN))).toEqual({ number: OWN, of: OF });
    const entries = rig.disk.entries.length;
    expect(await again(rig, without)).toEqual({ number: OWN, of: OF });
    expect(rig.disk.entries).toHaveLength(entries);
  });

  it("SAME-PARTITION-1: a fresh store on a journal of another partition is refused, too", async () => {
    const rig = await Rig.start(having(OWN));
    await rig.engine.stop();
    const disk = new MemoryDisk(rig.disk.incarnation);
    disk.entries = [...rig.disk.entries];
    const fresh = new Rig({ ...having(OTHER), disk, manual: rig.clock });
    await expect(fresh.engine.start()).rejects.toMatchObject({ code: "PARTITION_DIFFERS" });
    await fresh.engine.stop();
  });

  it("SAME-PARTITION-2: a journal without a partition gets one, unless it has sessions of another", async () => {
    const rig = await Rig.start(without);
    await send(rig, "w", said.prompt("p1"));
    await rig.engine.stop();
    expect(await again(rig, having(OTHER))).toBe("PARTITION_DIFFERS");
    expect(await again(rig, without)).toBeUndefined();
    expect(await again(rig, having(OWN))).toEqual({ number: OWN, of: OF });
  });

  it("ENGINE-TELLING-1: messages of other partitions are a trouble with their number, until none has come for an hour", async () => {
    const rig = await Rig.start(having(OWN));
    const troubles = () =>
      rig.engine.troubles().map(({ code, message }) => [code, Number(/\d+/.exec(message)?.[0])]);
    await send(rig, "w", said.prompt("p1"));
    expect(troubles()).toEqual([]);
    await send(rig, foreign, said.prompt("p1"));
    await send(rig, foreign, said.prompt("p2"));
    expect(troubles()).toEqual([["WRONG_PARTITION", 2]]);
    rig.clock.advance(HOUR_MS - 1);
    await send(rig, "w", said.stop());
    expect(troubles()).toEqual([["WRONG_PARTITION", 2]]);
    rig.clock.advance(1);
    await send(rig, "w", said.stop());
    expect(troubles()).toEqual([]);
  });
});
