// Claim
// Who gets a folder whose owner is dead, while others try to get it, too.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { claim } from "../../../adapters/nats-server/claim.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
const dir = (): string => join(base(), "nats");
const DEAD = "999999 its mark\n";
const LIVING = "999998 another mark\n";
const write = (name: string, owner: string): void => writeFileSync(join(dir(), name), owner);
const read = (): string => readFileSync(join(dir(), "owner"), "utf8");
beforeEach(() => mkdirSync(dir()));

/** @param looked called when this process looks whether the dead owner is alive. */
const processes = (looked: () => void = () => undefined) => ({
  markOf(pid: number) {
    if (pid === 999_999) looked();
    return pid === 999_998 ? "another mark" : pid === process.pid ? "my mark" : undefined;
  },
  commandOf: () => undefined,
});

test("NATS-SERVER-CLAIM-2: who is held up after it saw a dead owner does not take the folder from the next owner", async () => {
  write("owner", DEAD);
  const other = processes(() => write("owner", LIVING));
  await expect(claim(dir(), other)).rejects.toMatchObject({ code: "STORE_BUSY" });
  expect(read()).toBe(LIVING);
  expect(readdirSync(dir())).toEqual(["owner"]);
});

test("NATS-SERVER-CLAIM-2: while another process takes a dead owner's folder, nobody else takes it", async () => {
  write("owner", DEAD);
  write("owner.next", LIVING);
  await expect(claim(dir(), processes())).rejects.toMatchObject({ code: "STORE_BUSY" });
  expect(read()).toBe(DEAD);
  expect(readdirSync(dir())).toEqual(["owner", "owner.next"]);
});

test.each([
  ["no owner", []],
  ["a dead owner", ["owner"]],
  ["a process that died while it took the folder", ["owner", "owner.next"]],
  ["another that died while it took the folder from that one", ["owner", "owner.next", "owner.next.next"]],
])("NATS-SERVER-CLAIM-2: %s keeps nobody out", async (_, files) => {
  for (const name of files) write(name, DEAD);
  await claim(dir(), processes());
  expect(read()).toBe(`${process.pid} my mark\n`);
  expect(readdirSync(dir())).toEqual(["owner"]);
});
