// Time text
// Times of sources mean the same in every zone.

import { afterEach, expect, test } from "vitest";
import { readTime } from "../../../runtime/foreign-fields.ts";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

test.each(["Asia/Tokyo", "America/New_York", "UTC"])(
  "FOREIGN-FIELDS-4, G10: a time without a zone is in UTC, whatever the zone of the process (%s)",
  (zone) => {
    process.env["TZ"] = zone;
    expect(new Date(0).getTimezoneOffset() === 0).toBe(zone === "UTC");
    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    for (const text of ["2026-01-02T03:04:05", "2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"])
      expect([text, readTime(text)]).toEqual([text, at]);
    expect(readTime("2026-01-02T03:04:05+0100")).toBe(at - 3_600_000);
    expect(readTime("2026-01-02T03:04:05.678z")).toBe(at + 678);
    expect(readTime("2026-01-02")).toBe(Date.UTC(2026, 0, 2));
  },
);

test.each(["", "now", "Jan 2 2026", "2026-13-01", "2026-01-02T25:00", "1767322800000", "02/01/2026 10:00"])(
  "FOREIGN-FIELDS-4: %j is no time",
  (text) => {
    expect(readTime(text)).toBeUndefined();
  },
);
