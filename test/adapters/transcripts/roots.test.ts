// Roots
// What may be read of a machine, whatever path is named.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Roots } from "../../../adapters/transcripts/roots.ts";

let dir: string;
let root: string;
let roots: Roots;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-roots-")));
  root = join(dir, "projects");
  mkdirSync(join(root, "shop"), { recursive: true });
  mkdirSync(join(dir, "secret"));
  writeFileSync(join(dir, "secret", "s1.jsonl"), "secret\n");
  writeFileSync(join(root, "shop", "s1.jsonl"), "one\n");
  roots = new Roots([root]);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function textAt(path: string): Promise<string | undefined> {
  const opened = await roots.open(path);
  if (!opened) return undefined;
  try {
    return await opened.file.readFile("utf8");
  } finally {
    await opened.file.close();
  }
}

test("TRANSCRIPTS-ROOTS-1: a file below a root is read, also where a link leads to the root or stays inside of it", async () => {
  expect(await textAt(join(root, "shop", "s1.jsonl"))).toBe("one\n");
  symlinkSync(root, join(dir, "linked"));
  symlinkSync(join(root, "shop"), join(root, "inside"));
  expect(await textAt(join(root, "inside", "s1.jsonl"))).toBe("one\n");
  roots = new Roots([join(dir, "linked")]);
  expect(await textAt(join(dir, "linked", "shop", "s1.jsonl"))).toBe("one\n");
});

test("TRANSCRIPTS-ROOTS-1: what is not there yet is no error, in a folder or a root that is not there either", async () => {
  expect(await textAt(join(root, "shop", "s2.jsonl"))).toBeUndefined();
  expect(await textAt(join(root, "new", "sub", "s2.jsonl"))).toBeUndefined();
  roots = new Roots([join(dir, "later")]);
  expect(await textAt(join(dir, "later", "shop", "s1.jsonl"))).toBeUndefined();
});

test("TRANSCRIPTS-ROOTS-1: links to files, and folders that lead out, are refused", async () => {
  symlinkSync(join(dir, "secret", "s1.jsonl"), join(root, "shop", "link.jsonl"));
  symlinkSync(join(root, "shop", "s1.jsonl"), join(root, "shop", "near.jsonl"));
  symlinkSync(join(dir, "secret"), join(root, "out"));
  symlinkSync(join(root, "loop"), join(root, "loop"));
  const code = (path: string): Promise<unknown> =>
    roots.open(path).catch((error: unknown): unknown => Reflect.get(Object(error), "code"));
  expect(await code(join(root, "shop", "link.jsonl"))).toBe("TRANSCRIPT_LINK");
  expect(await code(join(root, "shop", "near.jsonl"))).toBe("TRANSCRIPT_LINK");
  expect(await code(join(root, "out", "s1.jsonl"))).toBe("TRANSCRIPT_OUTSIDE");
  expect(await code(join(dir, "secret", "s1.jsonl"))).toBe("TRANSCRIPT_OUTSIDE");
  expect(await code(join(dir, "projects-too", "s1.jsonl"))).toBe("TRANSCRIPT_OUTSIDE");
  expect(await code(join(root, "loop", "s1.jsonl"))).toBeUndefined();
});

test("TRANSCRIPTS-ROOTS-1: folders, pipes and devices are refused at once; so is what is no plain path", async () => {
  mkdirSync(join(root, "shop", "folder.jsonl"));
  execFileSync("mkfifo", [join(root, "shop", "pipe.jsonl")]);
  for (const name of ["folder.jsonl", "pipe.jsonl"])
    await expect(roots.open(join(root, "shop", name))).rejects.toMatchObject({
      code: "TRANSCRIPT_NOT_A_FILE",
    });
  const plain = join(root, "shop", "s1.jsonl");
  const bad = [
    "shop/s1.jsonl",
    `${root}/../secret/s1.jsonl`,
    `${plain}\0`,
    `${root}//shop/s1.jsonl`,
    "",
    "~/s1.jsonl",
  ];
  for (const path of [...bad, join(root, "shop"), `/${"x".repeat(5_000)}.jsonl`, "/etc/passwd"])
    await expect(roots.open(path), path).rejects.toMatchObject({ code: "TRANSCRIPT_BAD_PATH" });
});

test("TRANSCRIPTS-ROOTS-1: a folder's files are listed below a root only", async () => {
  expect(await roots.list(join(root, "shop"), (name) => name.endsWith(".jsonl"))).toEqual([
    join(root, "shop", "s1.jsonl"),
  ]);
  expect(await roots.list(join(root, "none"), () => true)).toEqual([]);
  symlinkSync(join(dir, "secret"), join(root, "out"));
  await expect(roots.list(join(root, "out"), () => true)).rejects.toMatchObject({
    code: "TRANSCRIPT_OUTSIDE",
  });
});
