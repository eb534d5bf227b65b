// Soak
// The command that tries every property from new seeds: what it runs, what it finds, what it says.

import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { propertyFiles } from "../soak/files.ts";
import { commandOf, type Job, type Outcome } from "../soak/job.ts";
import { Tally } from "../soak/tally.ts";

const ROOT = dirname(dirname(import.meta.dirname));

const job = (file: string, more: Partial<Job> = {}): Job => ({ file, seed: 7, runs: 1, ...more });
const outcome = (titles: readonly (string | undefined)[], more: Partial<Outcome> = {}): Outcome => ({
  tried: titles.map((title) => (title === undefined ? { values: 100 } : { title, values: 100 })),
  failures: [],
  ms: 30_000,
  ...more,
});
const failed = (title: string) => ({ failures: [{ title, message: "no" }] });
const NOBODY: ReadonlySet<string> = new Set();

describe("the files that are tried", () => {
  test("Soak: are all whose properties are, whichever way they are written", () => {
    const files = propertyFiles(ROOT);
    const named = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts"))
      .filter((path) =>
        /support\/property\.ts"|^\s*\w+\.prop\(|\bfc\.(?:assert|check)\(/m.test(
          readFileSync(join(ROOT, "test", path), "utf8"),
        ),
      )
      .filter((path) => path !== "soak.test.ts");
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((path) => !files.includes(join("test", path)))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["test/machines/model.test.ts", "test/runtime/outbound/outbox.test.ts"]),
    );
  });

  test("Soak: and those alone: a file without fast-check is none of them", () => {
    expect(propertyFiles(ROOT)).not.toContain("test/project/tidy.test.ts");
  });
});

describe("the tally", () => {
  test("Soak: gives the next turn to the file that had the least time, and never one to a file at work", () => {
    const tally = new Tally(["a", "b"], false);
    tally.add(job("a"), outcome(["one"]));
    expect(tally.next(NOBODY, 8)?.file).toBe("b");
    expect(tally.next(new Set(["b"]), 8)?.file).toBe("a");
    expect(tally.next(new Set(["a", "b"]), 8)).toBeUndefined();
  });

  test("Soak: asks for the properties alone once it is known which they are", () => {
    const tally = new Tally(["a"], false);
    expect(tally.next(NOBODY, 1)).not.toHaveProperty("titles");
    tally.add(job("a"), outcome(["one", "two"]));
    expect(tally.next(NOBODY, 2)?.titles).toEqual(["one", "two"]);
    const several = new Tally(["a"], false);
    several.add(job("a"), outcome([undefined, "two"]));
    expect(several.next(NOBODY, 2)).not.toHaveProperty("titles");
  });

  test("Soak: tries twice as many values where a job was short", () => {
    const tally = new Tally(["a"], false);
    tally.add(job("a"), outcome(["one"], { ms: 1_000 }));
    expect(tally.next(NOBODY, 2)?.runs).toBe(2);
    tally.add(job("a", { runs: 2 }), outcome(["one"]));
    expect(tally.next(NOBODY, 3)?.runs).toBe(2);
  });

  test("Soak: stops at the first difference of a property, and goes on with the others", () => {
    const tally = new Tally(["a"], false);
    tally.add(job("a"), outcome(["one", "two"], failed("one")));
    expect(tally.next(NOBODY, 2)?.titles).toEqual(["two"]);
    tally.add(job("a"), outcome(["two"], failed("two")));
    expect(tally.next(NOBODY, 3)).toBeUndefined();
    expect(tally.differences.map(({ title }) => title)).toEqual(["one", "two"]);
  });

  test("Soak: goes on to list all differences where it is told to", () => {
    const tally = new Tally(["a"], true);
    for (const seed of [1, 2]) tally.add(job("a", { seed }), outcome(["one"], failed("one")));
    expect(tally.differences.map(({ seed }) => seed)).toEqual([1, 2]);
    expect(tally.next(NOBODY, 3)?.titles).toEqual(["one"]);
  });

  test("Soak: names the command that shows a difference again", () => {
    expect(commandOf(job("test/a.test.ts", { runs: 4 }), "I-1: a (b)")).toBe(
      'PROPERTY_SEED=7 PROPERTY_RUNS=4 npx vitest run test/a.test.ts --testTimeout=0 -t "I-1: a .b."',
    );
  });
});

describe("npm run soak", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** A project of two properties: one holds, one does not. */
  function project(): string {
    const root = mkdtempSync(join(tmpdir(), "soak-project-"));
    folders.push(root);
    mkdirSync(join(root, "test"));
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(root, "vitest.config.ts"),
      `export { default } from ${JSON.stringify(join(ROOT, "vitest.config.ts"))};`,
    );
    writeFileSync(
      join(root, "test", "two.test.ts"),
      `import { fc, test } from "@fast-check/vitest";
       import { expect } from "vitest";
       test.prop([fc.nat()])("T1: true", (n) => { expect(n).toBeGreaterThanOrEqual(0); });
       test.prop([fc.nat()])("T2: false", (n) => { expect(n).toBeLessThan(1); });
       test("T3: no property", () => undefined);`,
    );
    return root;
  }

  const soak = (...more: readonly string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const file = join(ROOT, "test", "soak", "soak.ts");
      const args = ["--import", "tsx", file, ...more];
      execFile(process.execPath, args, { cwd: ROOT }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });

  test("Soak: finds what does not hold, says how to see it again, and ends with 1", async () => {
    const { code, out, err } = await soak("--root", project(), "--minutes", "0.02", "--seed", "5", "--json");
    expect(err).toContain("Again: PROPERTY_SEED=5 npx vitest run test/two.test.ts");
    const { properties, differences } = JSON.parse(out) as Record<string, readonly object[]>;
    expect(properties).toMatchObject([{ title: "T1: true", values: 100 }, { title: "T2: false" }]);
    expect(differences).toMatchObject([{ file: "test/two.test.ts", title: "T2: false", seed: 5, runs: 1 }]);
    expect(code).toBe(1);
  });

  test("Soak: a command line that is wrong says what is, and ends with 2", async () => {
    expect(await soak("--minutes", "none")).toMatchObject({
      code: 2,
      err: expect.stringContaining('--minutes takes a number above zero, not "none".') as string,
    });
    expect(await soak("no-such-file")).toMatchObject({ code: 2 });
  });

  test("Soak: says how it is called", async () => {
    expect(await soak("--help")).toEqual({
      code: 0,
      out: expect.stringContaining("npm run soak -- ") as string,
      err: "",
    });
  });
});
