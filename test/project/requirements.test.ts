// Every demand of the four documents this project began with is met by a test, met otherwise, or named as later.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demandsIn, provenBy, testTitles, titlesIn } from "../support/docs/titles.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const COUNTS = { S0: 17, S1: 64, S2: 75, S3: 28 } as const;
const ALL = Object.entries(COUNTS).flatMap(([seed, count]) =>
  Array.from({ length: count }, (_, n) => `${seed}.${n + 1}`),
);

const TOPICS = ["NATS in and out", "the panel", "the gate", "intent", "operations"] as const;

const SECTIONS = read("docs/why/requirements.md").split("\n## ");
/** The text of the sections whose heading begins like this. */
const section = (heading: RegExp): string => SECTIONS.filter((text) => heading.test(text)).join("\n");

const LATER = section(/^Later\n/)
  .split("\n- ")
  .flatMap((line) => {
    const [, topic, numbers] = /^later: ([^:]+):([^]*)$/.exec(line) ?? [];
    return topic === undefined ? [] : [{ topic, numbers: demandsIn(numbers ?? "") }];
  });

const tested = new Set(testTitles().flatMap(provenBy));
const explained = new Set(demandsIn(section(/^Met otherwise\n/)));
const postponed = new Set(LATER.flatMap(({ numbers }) => numbers));

describe("requirements", () => {
  test("S1.63: every number is met by a test, or otherwise, or is later", () => {
    const open = ALL.filter(
      (number) => !tested.has(number) && !explained.has(number) && !postponed.has(number),
    );
    expect(open).toEqual([]);
  });

  test("Docs: docs/why/requirements.md has every number once, and no other", () => {
    const stated = section(/^S\d: /)
      .split("\n")
      .flatMap((line) => (/^(- )/.test(line) ? demandsIn(line) : []));
    expect([...stated].sort()).toEqual([...ALL].sort());
  });

  test("Docs: what a test proves is not called later", () => {
    expect([...postponed].filter((number) => tested.has(number))).toEqual([]);
  });

  test("Docs: no number is later under two topics, and every topic is a known one", () => {
    const numbers = LATER.flatMap((each) => each.numbers);
    expect(numbers).toHaveLength(postponed.size);
    expect(TOPICS).toEqual(expect.arrayContaining(LATER.map(({ topic }) => topic)));
  });

  test("Docs: tests and docs/why/requirements.md name no number that does not exist", () => {
    const known = new Set(ALL);
    expect([...tested, ...explained, ...postponed].filter((number) => !known.has(number))).toEqual([]);
  });
});

describe("reading titles", () => {
  test("Docs: a title counts wherever the test was made, and only the numbers before its colon", () => {
    const source = [
      'test("S1.1, I-02: a", () => undefined);',
      'it.each([1])("S1.2–S1.4: %s is S1.9", () => undefined);',
      "test.prop([x])(`S3.5: ${name}`, () => undefined);",
      'describe("S1.20: no test", () => undefined);',
      'expect("S1.21: no test").toBe("S1.21: no test");',
      'test("nothing of S1.22", () => undefined);',
    ].join("\n");
    expect(titlesIn(source).flatMap(provenBy)).toEqual(["S1.1", "S1.2", "S1.3", "S1.4", "S3.5"]);
  });
});
