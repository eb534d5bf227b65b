// Watched file
// A transcript that grows, is cut, replaced and read by one process after another: what is sent of it.

import { appendFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import { Counts } from "../../../adapters/transcripts/counts.ts";
import type { Line } from "../../../adapters/transcripts/lines.ts";
import type { KeptFile } from "../../../adapters/transcripts/places.ts";
import { Roots } from "../../../adapters/transcripts/roots.ts";
import { WatchedFile } from "../../../adapters/transcripts/watched-file.ts";
import { overloaded } from "../../../runtime/errors/errors.ts";
import { Projects } from "../../support/sessions/live.ts";

let projects: Projects;
beforeEach(() => {
  projects = new Projects();
});
afterEach(() => projects.clear());

const SMALL = { pieceBytes: 32, lineBytes: 200, lines: 3, historyBytes: 10_000 };
const owner = { workspace: "shop" as WorkspaceId, session: "s1" as SessionId };

class Reading {
  readonly path: string;
  readonly counts = new Counts();
  readonly sent: string[] = [];
  isDown = false;
  file: WatchedFile;
  readonly #limits: typeof SMALL;

  constructor(path: string, limits = SMALL) {
    this.path = path;
    this.#limits = limits;
    this.file = this.#open({ ...owner, path, isEnded: false });
  }

  #open(kept: KeptFile): WatchedFile {
    const send = (lines: readonly Line[]): Promise<boolean> => {
      if (this.isDown) return Promise.reject(overloaded(1));
      this.sent.push(
        ...lines.map((line) => (line.isTooLong ? `${line.length} bytes` : line.bytes.toString())),
      );
      return Promise.resolve(false);
    };
    const around = { roots: new Roots([projects.root]), counts: this.counts, limits: this.#limits };
    return new WatchedFile(kept, { ...around, sending: { send } });
  }

  /** Another process goes on. */
  reopen(): void {
    this.file = this.#open(JSON.parse(JSON.stringify(this.file.kept)) as KeptFile);
  }

  async all(): Promise<readonly string[]> {
    for (let n = 0; n < 500; n += 1) if ((await this.file.look()).is !== "more") return this.sent;
    throw new Error("The file is never read to its end.");
  }
}

const xs = (count: number): readonly string[] => Array<string>(count).fill("x");

const fates = (counts: Counts): unknown =>
  Object.entries(counts.rows())
    .filter(([name, n]) => name.includes("files_total") && n > 0)
    .map(([name]) => /"(\w+)"/.exec(name)?.[1]);

describe("a transcript that grows", () => {
  test("TRANSCRIPTS-LINES-1, TRANSCRIPTS-BELL-1: any split of its writes, with looks and restarts between, sends the same lines, each once", async () => {
    let n = 0;
    const line = fc.string({ unit: "grapheme", maxLength: 90 }).map((text) => JSON.stringify({ text }));
    const cuts = fc.array(
      fc.record({ at: fc.nat(), then: fc.constantFrom("look", "all", "reopen", "fail") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), cuts, async (lines, splits) => {
        const path = join(projects.root, `${(n += 1)}.jsonl`);
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
        const reading = new Reading(path);
        let from = 0;
        const inOrder = splits
          .map((cut) => ({ ...cut, at: cut.at % (bytes.length + 1) }))
          .sort((a, b) => a.at - b.at);
        for (const { at, then } of inOrder) {
          appendFileSync(path, bytes.subarray(from, at));
          from = at;
          if (then === "look") await reading.file.look();
          if (then === "all") await reading.all();
          if (then === "reopen") reading.reopen();
          if (then === "fail") {
            reading.isDown = true;
            await reading.file.look().catch(() => undefined);
            reading.isDown = false;
          }
        }
        appendFileSync(path, bytes.subarray(from));
        const told = lines.map((each) =>
          Buffer.byteLength(each) > 200 ? `${Buffer.byteLength(each)} bytes` : each,
        );
        expect(await reading.all()).toEqual(told);
        expect(fates(reading.counts)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("TRANSCRIPTS-LINES-1: half a last line is no line until its end is there", async () => {
    const reading = new Reading(projects.path("s1"));
    appendFileSync(reading.path, "one\ntw");
    expect(await reading.all()).toEqual(["one"]);
    appendFileSync(reading.path, "o");
    expect(await reading.all()).toEqual(["one"]);
    appendFileSync(reading.path, "\nthree\n");
    expect(await reading.all()).toEqual(["one", "two", "three"]);
  });

  test("TRANSCRIPTS-LINES-2: a line of 110 KB is sent whole; one beyond the limit is told by its length, and those after it are sent", async () => {
    const limits = { pieceBytes: 16 * 1024, lineBytes: 200_000, lines: 250, historyBytes: 1e9 };
    const reading = new Reading(projects.path("s1"), limits);
    const long = "x".repeat(110 * 1024);
    appendFileSync(reading.path, `${long}\n${"y".repeat(1_000_000)}\nlast\n`);
    expect(await reading.all()).toEqual([long, "1000000 bytes", "last"]);
  });

  test("TRANSCRIPTS-WATCHED-FILE-2: of a large file that was there before, the newest part is read, from a whole line on", async () => {
    const reading = new Reading(projects.path("s1"), { ...SMALL, historyBytes: 64 });
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`);
    writeFileSync(reading.path, `${lines.join("\n")}\n`);
    await reading.file.look();
    reading.reopen();
    const sent = await reading.all();
    expect(sent.at(-1)).toBe("line 99");
    expect(lines.join("\n")).toContain(`\n${[...new Set(sent)].join("\n")}`);
    expect(sent.length).toBeLessThan(20);
    expect(reading.counts.skippedBytes).toBeGreaterThan(700);
  });

  test("TRANSCRIPTS-WATCHED-FILE-2: a file of 10 GB is read from near its end", async () => {
    const limits = { pieceBytes: 256 * 1024, lineBytes: 8e6, lines: 250, historyBytes: 1024 * 1024 };
    const reading = new Reading(projects.path("s1"), limits);
    writeFileSync(reading.path, "");
    truncateSync(reading.path, 10 * 1024 ** 3);
    appendFileSync(reading.path, "\nfirst\nlast\n");
    expect(await reading.all()).toEqual(["first", "last"]);
    appendFileSync(reading.path, "more\n");
    expect(await reading.all()).toEqual(["first", "last", "more"]);
  });
});

describe("a transcript that is not what it was", () => {
  test.each(["in one process", "after a restart"])(
    "TRANSCRIPTS-PLACE-1: cut, it is read from its beginning, %s",
    async (when) => {
      const reading = new Reading(projects.path("s1"));
      appendFileSync(reading.path, "one\ntwo\nthree\n");
      await reading.all();
      writeFileSync(reading.path, "one\nnew\n");
      if (when === "after a restart") reading.reopen();
      expect(await reading.all()).toEqual(["one", "two", "three", "one", "new"]);
      expect(fates(reading.counts)).toEqual(["truncated"]);
    },
  );

  test("TRANSCRIPTS-PLACE-1: cut and longer than before by the next look, it is read from its beginning", async () => {
    const reading = new Reading(projects.path("s1"));
    appendFileSync(reading.path, "one\ntwo\n");
    await reading.all();
    writeFileSync(reading.path, "one\nnew\nlonger than it was\n");
    expect(await reading.all()).toEqual(["one", "two", "one", "new", "longer than it was"]);
    expect(fates(reading.counts)).toEqual(["replaced"]);
  });

  test("TRANSCRIPTS-PLACE-1: replaced by another file, that is read from its beginning", async () => {
    const reading = new Reading(projects.path("s1"));
    appendFileSync(reading.path, "one\ntwo\n");
    await reading.all();
    writeFileSync(`${reading.path}.new`, "one\ntwo\nthree\n");
    renameSync(`${reading.path}.new`, reading.path);
    expect(await reading.all()).toEqual(["one", "two", "one", "two", "three"]);
    expect(fates(reading.counts)).toEqual(["replaced"]);
  });

  /** More than what a file is known by at its beginning. */
  const BEFORE = Array.from({ length: 40 }, (_, n) => `line ${n} ${"of many ".repeat(4)}`);
  /** What stands there while a line is being written; longer than a piece, so that several looks scan it. */
  const HALF = `two and ${"much more ".repeat(9)}`;
  const begun = `${BEFORE.join("\n")}\n`;

  test.each([
    ["cut in the middle of it, and written on", 2, "new\nthree\n", ["twnew", "three"]],
    ["cut in the middle of it, and written beyond where it ended", 2, "x\n".repeat(80), ["twx", ...xs(79)]],
    ["cut where it begins", 0, "x\ny\nz\n", ["x", "y", "z"]],
    ["cut where it begins, and written beyond where it ended", 0, "x\n".repeat(80), xs(80)],
    ["written on", HALF.length, "end\nthree\n", [`${HALF}end`, "three"]],
  ])(
    "TRANSCRIPTS-WATCHED-FILE-3: half a line is looked at, then %s: what stands there then is sent",
    async (_, kept, more, sent) => {
      const reading = new Reading(projects.path("s1"));
      appendFileSync(reading.path, `${begun}${HALF}`);
      expect(await reading.all()).toEqual(BEFORE);
      truncateSync(reading.path, begun.length + kept);
      appendFileSync(reading.path, more);
      expect(await reading.all()).toEqual([...BEFORE, ...sent]);
    },
  );

  test.each(["replaced by another file", "cut before it"])(
    "TRANSCRIPTS-WATCHED-FILE-3: half a line is looked at, then the file is %s: each of its lines is sent",
    async (how) => {
      const reading = new Reading(projects.path("s1"));
      appendFileSync(reading.path, `one\n${HALF}`);
      await reading.all();
      const lines = ["a", "b", "c", "one", "two", "d", HALF, "e"];
      const path = how === "cut before it" ? reading.path : `${reading.path}.new`;
      writeFileSync(path, `${lines.join("\n")}\n`);
      renameSync(path, reading.path);
      expect(await reading.all()).toEqual(["one", ...lines]);
    },
  );

  test("TRANSCRIPTS-WATCHED-FILE-3: nothing that was looked at in one file is believed of another, though it ends alike", async () => {
    const reading = new Reading(projects.path("s1"), { ...SMALL, lineBytes: 1_000 });
    const half = "half a line ".repeat(60);
    appendFileSync(reading.path, half);
    expect(await reading.all()).toEqual([]);
    writeFileSync(`${reading.path}.new`, `a\nb\n${half.slice(4)}\n`);
    renameSync(`${reading.path}.new`, reading.path);
    expect(await reading.all()).toEqual(["a", "b", half.slice(4)]);
  });

  test("TRANSCRIPTS-WATCHED-FILE-1: what the door did not take is sent again, and nothing is passed over", async () => {
    const reading = new Reading(projects.path("s1"));
    appendFileSync(reading.path, "one\n");
    reading.isDown = true;
    await expect(reading.all()).rejects.toThrow("wait to be applied");
    expect(reading.file.kept.place?.offset ?? 0).toBe(0);
    reading.isDown = false;
    expect(await reading.all()).toEqual(["one"]);
  });

  test("TRANSCRIPTS-WATCHED-FILE-1: gone, and there again", async () => {
    const reading = new Reading(projects.path("s1"));
    expect((await reading.file.look()).is).toBe("gone");
    appendFileSync(reading.path, "one\n");
    expect(await reading.all()).toEqual(["one"]);
    renameSync(reading.path, `${reading.path}.old`);
    expect((await reading.file.look()).is).toBe("gone");
    renameSync(`${reading.path}.old`, reading.path);
    appendFileSync(reading.path, "two\n");
    expect(await reading.all()).toEqual(["one", "two"]);
  });
});
