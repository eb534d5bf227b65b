// File below
// Real files, links, pipes and folders: what is read below a folder, and what never is.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { readBelow } from "../../../adapters/system/index.ts";

const MAX = 1_000;
const SECRET = "of another folder";
let root = "";
let project = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "file-below-")));
  project = join(root, "project");
  mkdirSync(join(project, "src", "deep"), { recursive: true });
  mkdirSync(join(root, "outside"));
  writeFileSync(join(project, "src", "deep", "a.ts"), "here");
  writeFileSync(join(root, "outside", "a.ts"), SECRET);
});
afterEach(() => rmSync(root, { recursive: true }));

const read = async (names: string, folder = project, more: object = {}): Promise<string | undefined> => {
  const around = { home: homedir(), closed: [], ...more };
  const bytes = await readBelow({ folder, names: names.split("/") }, MAX, around);
  return bytes && Buffer.from(bytes).toString();
};

describe("a file below a folder", () => {
  it("FILE-BELOW-1: it is read, and so it is in a folder that is itself reached by a link", async () => {
    expect(await read("src/deep/a.ts")).toBe("here");
    symlinkSync(project, join(root, "link"));
    expect(await read("src/deep/a.ts", join(root, "link"))).toBe("here");
  });

  test.each([
    ["the file", "src/deep/link.ts", () => symlinkSync("a.ts", join(project, "src", "deep", "link.ts"))],
    [
      "the file, to elsewhere",
      "link.ts",
      () => symlinkSync(join(root, "outside", "a.ts"), join(project, "link.ts")),
    ],
    ["its folder", "link/a.ts", () => symlinkSync(join(root, "outside"), join(project, "link"))],
    ["a folder above", "link/deep/a.ts", () => symlinkSync("src", join(project, "link"))],
    ["nothing", "link", () => symlinkSync("nowhere", join(project, "link"))],
    ["itself", "link", () => symlinkSync("link", join(project, "link"))],
  ])("FILE-BELOW-1: a link in place of %s is not followed", async (_, names, make) => {
    make();
    expect(await read(names)).toBeUndefined();
  });

  it("FILE-BELOW-1: while a folder and a link change places all the time, nothing of the other folder is read", async () => {
    symlinkSync(join(root, "outside"), join(root, "link"));
    const swapping = new Worker(SWAP, { eval: true, workerData: { at: join(project, "src", "deep"), root } });
    try {
      await new Promise((resolve) => void swapping.once("message", resolve));
      const found = new Set<string | undefined>();
      for (let n = 0; n < 1_500; n += 1) found.add(await read("src/deep/a.ts"));
      expect([...found].filter((each) => each !== undefined)).toEqual(["here"]);
    } finally {
      await swapping.terminate();
    }
  });

  it("FILE-BELOW-2: no folder, pipe, socket or device is read, and a pipe makes nobody wait", async () => {
    execFileSync("mkfifo", [join(project, "pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(join(project, "socket"), resolve));
    try {
      for (const name of ["src", "pipe", "socket"])
        expect([name, await read(name)]).toEqual([name, undefined]);
      expect(await read("null", "/dev")).toBeUndefined();
    } finally {
      server.close();
    }
  });

  it("FILE-BELOW-2: a file that has another name elsewhere is not read", async () => {
    linkSync(join(root, "outside", "a.ts"), join(project, "twice.ts"));
    expect(await read("twice.ts")).toBeUndefined();
  });

  it("FILE-BELOW-3: nothing of a file that is empty or too long, or only says that it is, or that it has more", async () => {
    writeFileSync(join(project, "a"), "");
    expect(await read("a")).toBeUndefined();
    writeFileSync(join(project, "a"), "x".repeat(MAX));
    expect(await read("a")).toHaveLength(MAX);
    truncateSync(join(project, "a"), 2 ** 40);
    expect(await read("a")).toBeUndefined();
    expect(await read("version", "/proc")).toBeUndefined();
    const online = { folder: "/sys/devices/system/cpu", names: ["online"] };
    expect(await readBelow(online, 1_000_000, { home: homedir(), closed: [] })).toBeUndefined();
  });

  it.skipIf(process.getuid?.() === 0)(
    "FILE-BELOW-3: a file that this user may not read is not read",
    async () => {
      chmodSync(join(project, "src", "deep", "a.ts"), 0);
      expect(await read("src/deep/a.ts")).toBeUndefined();
    },
  );

  it("FILE-BELOW-1: names that lead anywhere else are not even tried", async () => {
    writeFileSync(join(root, "above"), SECRET);
    for (const names of [
      "../above",
      "src/../../above",
      "",
      ".",
      "src//deep/a.ts",
      "a\0",
      "missing",
      "src/deep/a.ts/b",
    ])
      expect([names, await read(names)]).toEqual([names, undefined]);
    expect(
      await readBelow({ folder: project, names: [] }, MAX, { home: homedir(), closed: [] }),
    ).toBeUndefined();
    const slash = { folder: project, names: ["src/deep/a.ts"] };
    expect(await readBelow(slash, MAX, { home: homedir(), closed: [] })).toBeUndefined();
  });

  it("FILE-BELOW-4: nothing in the user's home itself, above it, or in the engine's own folder", async () => {
    expect(await read("project/src/deep/a.ts", root, { home: root })).toBeUndefined();
    expect(await read("src/deep/a.ts", project, { home: join(project, "src") })).toBeUndefined();
    expect(await read("src/deep/a.ts", project, { home: root })).toBe("here");
    for (const closed of [project, join(project, "src"), root])
      expect(await read("src/deep/a.ts", project, { closed: [closed] })).toBeUndefined();
    symlinkSync(join(project, "src"), join(root, "data"));
    expect(await read("src/deep/a.ts", project, { closed: [join(root, "data")] })).toBeUndefined();
    mkdirSync(join(project, "sr"));
    expect(await read("src/deep/a.ts", project, { closed: [join(project, "sr")] })).toBe("here");
  });
});

/** Puts a link in place of a folder and back, as fast as it can. */
const SWAP = `
const { renameSync } = require("node:fs");
const { join } = require("node:path");
const { parentPort, workerData: { at, root } } = require("node:worker_threads");
parentPort.postMessage("on");
for (;;) {
  renameSync(at, join(root, "kept"));
  renameSync(join(root, "link"), at);
  renameSync(at, join(root, "link"));
  renameSync(join(root, "kept"), at);
}
`;
