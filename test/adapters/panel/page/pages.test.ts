// Panel: pages
// Which engines a list of the overview names as missing, while pages of it are read and read again.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extended, joined, type Page, type Pages } from "../../../../adapters/panel/page/overview/pages.ts";
import { holds } from "../../../support/properties/property.ts";

interface Session {
  readonly id: string;
  readonly createdAt: number;
}

const KIND = { addressOf: ({ id }: Session) => id };
const LENGTH = 3;
const ENGINES = ["a", "b", "c"];

/** One session a second, of each engine in turn. */
const ALL = Array.from({ length: 20 }, (_, n): Session => {
  const createdAt = 20 - n;
  return { id: `${ENGINES[n % ENGINES.length]}-${String(createdAt).padStart(2, "0")}`, createdAt };
});
const engineOf = ({ id }: Session): string => id.charAt(0);

/** What the engine answers while some do not answer it. @param cursor the time of the last item of the page before. */
function read(silent: readonly string[], cursor = "99"): Page<Session> {
  const left = ALL.filter((each) => !silent.includes(engineOf(each)) && each.createdAt < Number(cursor));
  const items = left.slice(0, LENGTH);
  const nextCursor = left.length > LENGTH ? { nextCursor: String(items.at(-1)?.createdAt) } : {};
  return { items, ...nextCursor, ...(silent.length > 0 && { partial: silent }) };
}

const first = (silent: readonly string[]): Pages<Session> => read(silent);
const again = (known: Pages<Session>, silent: readonly string[]) => joined(KIND, known, read(silent));
const more = (known: Pages<Session>, silent: readonly string[]) =>
  known.nextCursor === undefined ? known : extended(KIND, known, read(silent, known.nextCursor));

describe("the pages of a list", () => {
  it("OVERVIEW-PAGES-1: an older page does not hide that the newest lacks a part", () => {
    expect(more(first(["b"]), []).partial).toEqual(["b"]);
    expect(more(first(["b"]), ["a", "b"]).partial).toEqual(["a", "b"]);
    expect(more(first([]), [])).not.toHaveProperty("partial");
  });

  it("OVERVIEW-PAGES-1: a newest page that is read again does not hide that an older one lacks a part", () => {
    const known = again(more(first([]), ["b"]), []);
    expect(known.partial).toEqual(["b"]);
    expect(known.items).toHaveLength(2 * LENGTH);
    expect(again(known, ["c"]).partial).toEqual(["b", "c"]);
  });

  it("OVERVIEW-PAGES-1: once an engine is back, a list of one page begins anew, and lacks nothing", () => {
    expect(again(first(["b"]), [])).toEqual(read([]));
    expect(again(first(["b", "c"]), ["c"])).toEqual(read(["c"]));
  });

  it("OVERVIEW-PAGES-1: each session between the first and the last is shown, or its engine is named", () => {
    const silent = fc.subarray(ENGINES, { maxLength: ENGINES.length - 1 });
    const steps = fc.array(fc.tuple(fc.boolean(), silent), { maxLength: 12 });
    holds("test/adapters/panel/page/pages.test.ts", 300, fc.tuple(silent, steps), ([silent, steps]) => {
      let known = first(silent);
      for (const [isMore, silent] of steps) {
        known = isMore ? more(known, silent) : again(known, silent);
        const { items, nextCursor = "0", partial = [] } = known;
        const wanted = ALL.filter(({ createdAt }) => createdAt >= Number(nextCursor));
        const missing = wanted.filter((each) => !items.includes(each)).map(engineOf);
        expect(partial).toEqual(expect.arrayContaining(missing));
      }
    });
  });
});
