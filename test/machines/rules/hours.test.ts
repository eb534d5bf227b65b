// Hours
// The hours of a week, against the calendar of the platform.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flawOf, rulingOf, NOTHING_GUARDED } from "../../../machines/index.ts";
import { hoursIn, isWithin } from "../../../machines/rules/hours.ts";
import { holds } from "../../support/properties/property.ts";
import { bash, glob } from "../../support/rules/terms.ts";

const FILE = "test/machines/rules/hours.test.ts";
const NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const two = (n: number): string => String(n).padStart(2, "0");
const clock = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

const week = fc.record({
  days: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 7 }),
  from: fc.integer({ min: 0, max: 1_439 }),
  to: fc.integer({ min: 0, max: 1_439 }),
  offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
});

describe("the hours of a rule", () => {
  test("HOURS-1, HOURS-2: are those of the calendar at their offset, over midnight too", () => {
    holds(FILE, 5_000, week, ({ days, from, to, offset, at }) => {
      if (from === to) return;
      const zone = `${offset < 0 ? "-" : "+"}${clock(Math.abs(offset))}`;
      const hours = hoursIn(`${days.join(",")} ${clock(from)}-${clock(to)}${zone}`);
      if (!hours) throw new Error("they cannot be read");
      const local = new Date(at + offset * 60_000);
      const began = new Date(local);
      const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
      // After midnight they began the day before.
      if (from > to && minute < to) began.setUTCDate(local.getUTCDate() - 1);
      const isOn = from < to ? minute >= from && minute < to : minute >= from || minute < to;
      const expected = isOn && days.includes(NAMES[began.getUTCDay()] ?? "Sun");
      expect(isWithin(hours, at)).toBe(expected);
    });
  });

  test("HOURS-1: a range of days goes over the end of the week", () => {
    const sunday = Date.parse("2026-11-29T12:00Z");
    const within = (text: string): boolean | undefined => {
      const hours = hoursIn(text);
      return hours && isWithin(hours, sunday);
    };
    expect(["Fri-Mon 09:00-17:00Z", "Mon-Sun 09:00-24:00Z", "Sun 12:00-13:00Z"].map(within)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["Mon-Sat 09:00-17:00Z", "Sun 09:00-12:00Z", "Sun 13:00-12:00Z"].map(within)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each([
    "",
    "Mon",
    "Mon 9:00-17:00Z",
    "Mon 09:00-17:00",
    "Mo 09:00-17:00Z",
    "Mon 09:00-09:00Z",
    "Mon 25:00-26:00Z",
    "Mon-Tue-Wed 09:00-17:00Z",
    "Mon 09:00-17:00+15:00",
    "Mon 09:00-17:00 Europe/Vienna",
  ])("RULING-4: a rule whose hours are %j cannot be made", (hours) => {
    expect(flawOf(glob("allow", "ls", { hours }))?.path).toBe("hours");
  });

  test("RULING-4: outside of its hours a rule says nothing, whatever it would do", () => {
    const hours = "Mon-Fri 09:00-17:00Z";
    const said = (effect: "allow" | "ask" | "deny", day: string): string | undefined =>
      rulingOf(
        [glob(effect, "ls", { hours })],
        bash("ls", { at: Date.parse(`${day}T10:00Z`) }),
        NOTHING_GUARDED,
      )?.effect;
    for (const effect of ["allow", "ask", "deny"] as const)
      expect([said(effect, "2026-11-27"), said(effect, "2026-11-28")]).toEqual([effect, undefined]);
  });
});
