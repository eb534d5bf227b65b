// Poison, with real processes: killed by an entry, killed from outside.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RestartPolicy } from "../../../../adapters/cli/supervisor/policy.ts";
import { openLmdb } from "../../../../adapters/lmdb/index.ts";
import { systemClock } from "../../../../adapters/system/index.ts";
import { type SourceMessage, writeMessage } from "../../../../runtime/message.ts";
import { message } from "../../../support/faults/poisoned.ts";
import { said } from "../../../support/sessions/said.ts";

describe("a process that is killed by an entry", () => {
  const CHILD = new URL("../../../support/processes/poison-child.ts", import.meta.url).pathname;
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "signalbox-poison-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function run(): Promise<number | NodeJS.Signals | null> {
    const child = spawn(process.execPath, ["--import", "tsx", CHILD, dir], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? signal;
  }

  /** Puts messages in the journal, durably, while no engine runs. */
  async function append(list: readonly SourceMessage[]): Promise<void> {
    const { store, journal, close } = openLmdb(dir, systemClock());
    await store.open();
    await journal.open(undefined);
    await journal.append(list.map(writeMessage));
    await close();
  }

  async function found(): Promise<ReadonlyMap<string, string>> {
    const { store, close } = openLmdb(dir, systemClock());
    await store.open();
    const rows = new Map(store.range({ gte: " ", lt: "~" }));
    await close();
    return rows;
  }

  /** Starts processes until one ends well. @returns how each ended. */
  async function runUntilWell(): Promise<readonly (number | NodeJS.Signals | null)[]> {
    const ends = [await run()];
    while (ends.at(-1) === "SIGKILL" && ends.length < 12) ends.push(await run());
    return ends;
  }
  const deaths = (count: number): readonly string[] => Array.from({ length: count }, () => "SIGKILL");
  const prompted = (rows: ReadonlyMap<string, string>): readonly (string | undefined)[] =>
    [...rows.keys()].filter((key) => /^actor\/.*\/request\//.test(key)).map((key) => key.split("/").at(-1));

  test("I-46, G9: crashes at it five times; the sixth sets it aside and applies the rest, and does the same with a second one behind it", async () => {
    const list = ["p1", "p2", "deadly1", "p4", "deadly2", "p6", "p7", "p8"].map((id, n) =>
      message(`s${n + 1}`, id, said.prompt(id)),
    );
    await append(list.slice(0, 2));
    expect(await run()).toBe(0);
    await append(list.slice(2));
    // The second one is close behind the first, so it is named before its turn at once.
    expect(await runUntilWell()).toEqual([...deaths(5), ...deaths(3), 0]);
    const rows = await found();
    const dead = [...rows]
      .filter(([key]) => key.startsWith("dead/"))
      .map(([, text]) => JSON.parse(text) as unknown);
    expect(dead).toMatchObject(
      [list[2], list[4]].map((one) => ({ code: "POISON", body: one && writeMessage(one) })),
    );
    expect(prompted(rows)).toEqual(["p1", "p2", "p4", "p6", "p7", "p8"]);
    expect(JSON.parse(rows.get("ledger/w/s3") ?? "null")).toMatchObject({
      rejected: 1,
      rejections: [{ what: "test.inputs" }],
    });
    expect([rows.get("starts"), rows.get("trying")]).toEqual([undefined, undefined]);
  }, 180_000);

  test("G17, I-46: an entry named at two crashes in a row and then applied is innocent: nothing is set aside", async () => {
    await append([message("s1", "p1", said.prompt("p1"))]);
    expect(await run()).toBe(0);
    await append(["unlucky", "p3", "p4"].map((id) => message("s1", id, said.prompt(id))));
    // Two crashes without a name, two with one.
    writeFileSync(join(dir, "unlucky"), "4");
    expect(await runUntilWell()).toEqual([...deaths(4), 0]);
    const rows = await found();
    expect([...rows.keys()].filter((key) => key.startsWith("dead/"))).toEqual([]);
    expect(prompted(rows)).toEqual(["p1", "p3", "p4", "unlucky"]);
  }, 180_000);

  test("G17, POLICY-2: a supervisor restarts as often as it takes to find one poison entry, and then as often again", () => {
    const policy = new RestartPolicy();
    const livedMs = 50;
    // Each process that crashed in the first test, one that lived before them, and one more to be safe.
    for (let died = 0; died < 5 + 1; died += 1)
      expect(policy.after({ code: null, signal: "SIGKILL", livedMs }, false).do).toBe("restart");
    policy.mended();
    for (let died = 0; died < 3; died += 1)
      expect(policy.after({ code: null, signal: "SIGKILL", livedMs }, false).do).toBe("restart");
  });
});
