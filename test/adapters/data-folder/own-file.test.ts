// Own file
// Drafts of the data folder's files: none outlives for long the process that was killed while it wrote.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeOwn, writeOwn } from "../../../adapters/data-folder/own-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-own-file-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** @param agoMs when it was written. */
function left(name: string, agoMs: number): string {
  writeFileSync(join(dir, name), "half");
  const at = (Date.now() - agoMs) / 1_000;
  utimesSync(join(dir, name), at, at);
  return name;
}

it.each([
  ["written", writeOwn],
  ["made", makeOwn],
])(
  "DATA-FOLDER-OWN-FILE-3: a forgotten draft goes as its file is %s, and nothing else does",
  async (_, put) => {
    const hour = 3_600_000;
    const stays = [
      left(`address.${randomUUID()}`, 1_000),
      left(`address.txt.${randomUUID()}`, hour),
      left(`other.${randomUUID()}`, hour),
      left(`address.${randomUUID()}.kept`, hour),
      left("address.old", hour),
    ];
    for (let n = 0; n < 3; n++) left(`address.${randomUUID()}`, hour);
    await put(join(dir, "address"), "whole");
    expect(readdirSync(dir).toSorted()).toEqual(["address", ...stays].toSorted());
    expect(readFileSync(join(dir, "address"), "utf8")).toBe("whole");
  },
);

it("DATA-FOLDER-OWN-FILE-3: a folder in a draft's place is left alone, and the file is written", async () => {
  const draft = `address.${randomUUID()}`;
  mkdirSync(join(dir, draft));
  utimesSync(join(dir, draft), 1, 1);
  await writeOwn(join(dir, "address"), "whole");
  expect(readdirSync(dir).toSorted()).toEqual(["address", draft]);
});
