// Hours
// The hours of a week in which a rule applies, for example `Mon-Fri 09:00-17:00+01:00`.
//
//   Owns:          the form in which hours are written; whether a time is within given hours.
//   Does not own:  what a rule does outside its hours (conditions).
//   Decided in:    docs/decisions/0082-hours-have-an-offset.md.
//
// HOURS-1. Whether a time is within a rule's hours is the same on every machine and in every replay, because the hours name an
//     offset from UTC, not a time zone.
// HOURS-2. Hours that go past midnight belong to the day on which they begin.

export interface Hours {
  /** The days of the week, as numbers; Monday is 0. */
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight. If `to` is not later than `from`, the hours extend past midnight. */
  readonly from: number;
  readonly to: number;
  readonly offsetMinutes: number;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
/** The day of the week of 1 January 1970: a Thursday. */
const FIRST_DAY = 3;

const FORM = /^(\S+) (\d\d):([0-5]\d)-(\d\d):([0-5]\d)(Z|[+-]\d\d:[0-5]\d)$/;

/** @returns undefined for a text that does not name hours. */
export function hoursIn(text: string): Hours | undefined {
  const [, named = "", h1 = "", m1 = "", h2 = "", m2 = "", zone = ""] = FORM.exec(text) ?? [];
  const days = daysIn(named);
  const [from, to] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)];
  const offsetMinutes = zone === "Z" ? 0 : offsetIn(zone);
  if (zone === "" || !days || from >= DAY_MINUTES || to > DAY_MINUTES || from === to) return undefined;
  return Math.abs(offsetMinutes) > 14 * 60 ? undefined : { days, from, to, offsetMinutes };
}

export function isWithin({ days, from, to, offsetMinutes }: Hours, at: number): boolean {
  const minutes = Math.floor(at / MINUTE_MS) + offsetMinutes;
  const day = (((Math.floor(minutes / DAY_MINUTES) + FIRST_DAY) % 7) + 7) % 7;
  const minute = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  if (from < to) return days.has(day) && minute >= from && minute < to;
  // HOURS-2: hours such as 22:00-06:00 go past midnight, so a time after midnight may belong to the hours of the day before.
  return (days.has(day) && minute >= from) || (days.has((day + 6) % 7) && minute < to);
}

/** The days that a text names: `Mon-Fri`, `Sat,Sun`, `Fri-Mon`. */
function daysIn(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [dayOf(first), dayOf(last)];
    if (from < 0 || to < 0 || more.length > 0) return undefined;
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return days;
}

const dayOf = (name: string): number => DAYS.findIndex((each) => each === name);

function offsetIn(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith("-") ? -minutes : minutes;
}
