// Rewritten
// A transcript that is written on, cut anywhere, and replaced, with looks in between: what stands there is sent, and
// nothing else.

import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionId, WorkspaceId } from "../../../machines/index.ts";
import { Counts } from "../../../adapters/transcripts/counts.ts";
import { Roots } from "../../../adapters/transcripts/roots.ts";
import { WatchedFile } from "../../../adapters/transcripts/watched-file.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { Projects } from "../../support/sessions/live.ts";

const FILE = "test/adapters/transcripts/rewritten.test.ts";
const LIMITS = { pieceBytes: 64, lineBytes: 4_000, lines: 3, historyBytes: 100_000 };

let projects: Projects;
beforeEach(() => {
  projects = new Projects();
});
afterEach(() => projects.clear());

type Step =
  | { readonly write: number; readonly isEnded: boolean }
  /** Cuts so many bytes off its end. */
  | { readonly cut: number }
  | { readonly replace: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ write: fc.integer({ min: 1, max: 300 }), isEnded: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ cut: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 1, arbitrary: fc.record({ replace: fc.integer({ min: 1, max: 4 }) }) },
);
const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 10 });

const linesOf = (path: string): readonly string[] => readFileSync(path, "utf8").split("\n").slice(0, -1);

test("TRANSCRIPTS-WATCHED-FILE-3, TRANSCRIPTS-PLACE-2: each line that stands there is sent, and none that never stood there", async () => {
  let files = 0;
  await holdsLater(FILE, 100, steps, async (list) => {
    const path = join(projects.root, `${(files += 1)}.jsonl`);
    const sent: string[] = [];
    const file = new WatchedFile(
      { workspace: "shop" as WorkspaceId, session: "s1" as SessionId, path, isEnded: false },
      {
        roots: new Roots([projects.root]),
        counts: new Counts(),
        limits: LIMITS,
        sending: {
          send(lines) {
            sent.push(...lines.map(({ bytes }) => bytes.toString()));
            return Promise.resolve(false);
          },
        },
      },
    );
    const look = async (): Promise<void> => {
      for (let n = 0; n < 500; n += 1) if ((await file.look()).is !== "more") return;
      throw new Error("The file is never read to its end.");
    };
    let words = 0;
    /** No two texts are alike, nor are their ends. */
    const text = (length: number): string => {
      const word = `<${(words += 1)}>`;
      return word.repeat(Math.ceil(length / word.length));
    };
    writeFileSync(path, Array.from({ length: 12 }, () => `${text(100)}\n`).join(""));
    const stood = new Set<string>(linesOf(path));
    await look();
    for (const [each, isLooked] of list) {
      if ("write" in each) appendFileSync(path, `${text(each.write)}${each.isEnded ? "\n" : ""}`);
      else if ("cut" in each) truncateSync(path, Math.max(0, readFileSync(path).length - each.cut));
      else {
        const lines = Array.from({ length: each.replace }, () => `${text(120)}\n`);
        writeFileSync(`${path}.new`, lines.join(""));
        renameSync(`${path}.new`, path);
      }
      for (const line of linesOf(path)) stood.add(line);
      if (isLooked) await look();
    }
    await look();
    expect(sent.filter((line) => !stood.has(line))).toEqual([]);
    expect(linesOf(path).filter((line) => !sent.includes(line))).toEqual([]);
  });
});
