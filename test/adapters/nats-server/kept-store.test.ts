// Kept store
// Which files of a private server's store a backup reads and puts back, and when it may not.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claim } from "../../../adapters/nats-server/claim.ts";
import { holdStore, putInStore } from "../../../adapters/nats-server/index.ts";
import { commandOf, markOf } from "../../../adapters/system/index.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
const processes = { markOf, commandOf };
const dir = (): string => join(base(), "nats");

describe("the store of a private server", () => {
  test("NATS-SERVER-KEPT-STORE-1: its files come back on another path; nobody else gets the folder meanwhile", async () => {
    const path = "jetstream/$G/streams/SIGNALBOX_IN/msgs";
    mkdirSync(join(dir(), "store", path), { recursive: true });
    writeFileSync(join(dir(), "store", path, "1.blk"), "entries");
    writeFileSync(join(dir(), "user.nk"), "secret");
    const held = await holdStore(dir(), processes);
    expect(held?.names).toEqual([`${path}/1.blk`]);
    expect(readFileSync(join(dir(), "owner"), "utf8")).toContain(`${process.pid} `);
    const other = join(base(), "other");
    for (const name of held?.names ?? [])
      await putInStore(other, name, (await held?.read(name)) ?? Buffer.from(""));
    expect(readFileSync(join(other, "store", path, "1.blk"), "utf8")).toBe("entries");
    await held?.release();
    expect(existsSync(join(dir(), "owner"))).toBe(false);
  });

  test("NATS-SERVER-KEPT-STORE-1: while another process has it, and where there is none, nothing is read", async () => {
    expect(await holdStore(dir(), processes)).toBeUndefined();
    mkdirSync(join(dir(), "store"), { recursive: true });
    // Written as by the process that started this one.
    writeFileSync(join(dir(), "owner"), `${process.ppid} ${markOf(process.ppid) ?? ""}\n`);
    expect(await holdStore(dir(), processes)).toBeUndefined();
    await expect(claim(dir(), processes)).rejects.toMatchObject({ code: "STORE_BUSY" });
  });

  test.each(["../a", "a/../../b", "/a", "", ".", "..", "a//b", "a/.", "a\u0000b", "a\\b", "a/../b"])(
    "NATS-SERVER-KEPT-STORE-2: the name %j from a backup is refused",
    async (name) => {
      await expect(putInStore(dir(), name, Buffer.from("x"))).rejects.toMatchObject({
        code: "BACKUP_DAMAGED",
      });
      expect(existsSync(dir())).toBe(false);
    },
  );
});
