// Spread
// Places of times on the line of a session.

import { describe, expect, it } from "vitest";
import { type Gap, placeOf, spreadOf } from "../../../../adapters/panel/page/session/whole/spread.ts";

const WIDTH = 800;
const HOUR = 3_600_000;

/** @param lengths ms; those with a minus are pauses. */
function gapsOf(...lengths: readonly number[]): readonly Gap[] {
  let at = 1_000;
  return lengths.map((length) => {
    const from = at;
    at += Math.abs(length);
    return { from, to: at, kind: length < 0 ? "pause" : "run" };
  });
}

const widthsOf = (...lengths: readonly number[]): readonly number[] =>
  spreadOf(gapsOf(...lengths), WIDTH).map(({ width }) => width);
const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

describe("the line of a session", () => {
  it.each([
    ["one request", [5_000]],
    ["a night between two requests", [5_000, -10 * HOUR, 5_000]],
    ["a question asked in the evening", [5_000, 12 * HOUR, 5_000]],
    ["a hundred requests", Array.from({ length: 199 }, (_, n) => (n % 2 === 0 ? 1_000 : -HOUR))],
    ["no time at all", [0]],
  ])("SPREAD-1: %s: in order, and as wide as there is room", (_, lengths) => {
    const gaps = gapsOf(...lengths);
    const stretches = spreadOf(gaps, WIDTH);
    const places = gaps.flatMap(({ from, to }) => [placeOf(stretches, from), placeOf(stretches, to)]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const whole = sum(stretches.map(({ width }) => width));
    expect(whole).toBeCloseTo(sum(lengths.map(Math.abs)) === 0 ? 0 : WIDTH);
  });

  it("SPREAD-1: a night leaves its requests their room, and a short pause is as wide as it lasted", () => {
    expect(widthsOf(5_000, -10 * HOUR, 5_000)).toEqual([385, 30, 385]);
    expect(widthsOf(5_000, -100, 5_000)[1]).toBeCloseTo((WIDTH * 100) / 10_100);
  });

  it("SPREAD-1: a long wait within a request is cut once it would hide all else", () => {
    const [before = 0, wait = 0, after = 0] = widthsOf(30_000, 12 * HOUR, 30_000);
    expect(wait).toBeCloseTo(WIDTH / 6);
    expect(before).toBeCloseTo(after);
    expect(widthsOf(50_000, 60_000, 50_000)[1]).toBeCloseTo((WIDTH * 60) / 160);
  });

  it("SPREAD-1: many pauses together leave most of the line to what ran", () => {
    const lengths = Array.from({ length: 199 }, (_, n) => (n % 2 === 0 ? 1_000 : -HOUR));
    const pauses = widthsOf(...lengths).filter((_, n) => n % 2 === 1);
    expect(sum(pauses)).toBeCloseTo(0.3 * WIDTH);
  });
});
