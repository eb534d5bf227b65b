// Scale
// Chooses at which values the axes of charts have marks: at round numbers, and at round times of day.
//
//   Owns:          which values and times on an axis get a mark.
//   Does not own:  where the marks are drawn (overview/charts, session/whole).

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMES_MS = [1, 5, 15, 30]
  .map((seconds) => seconds * 1_000)
  .concat([1, 5, 15, 30, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS));
const SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400];
/** How many steps an axis has at most. */
const PARTS = 3;

/** Marks from 0 to at least `most`, in even, round steps. @param most a count. */
export function countMarks(most: number): readonly number[] {
  const wanted = Math.max(1, most / PARTS);
  const size = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((each) => each * size).find((each) => each >= wanted) ?? 10 * size;
  return marksBy(step, most);
}

/** Marks for durations, from 0 to at least `most`. @param most ms. */
export function timeMarks(most: number): readonly number[] {
  const wanted = most / PARTS;
  const days = 86_400_000 * Math.max(1, Math.ceil(wanted / 86_400_000));
  const step = SECONDS.map((each) => each * 1_000).find((each) => each >= wanted) ?? days;
  return marksBy(step, most);
}

/**
 * A duration as a mark of an axis, such as `30 s` or `2 h`.
 * @param ms a multiple of a second, and from 2 min on a multiple of a minute, so that nothing is rounded.
 */
export function durationMark(ms: number): string {
  const seconds = ms / 1000;
  if (seconds === 0) return "0";
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${seconds / 60} min`;
  return seconds < 172_800 ? `${seconds / 3600} h` : `${seconds / 86_400} d`;
}

const marksBy = (step: number, most: number): readonly number[] =>
  Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, n) => n * step);

/** Marks at full seconds, minutes or hours of local time. @param room how many marks fit. */
export function dayMarks(from: number, to: number, room: number): readonly number[] {
  const step = TIMES_MS.find((each) => (to - from) / each <= room) ?? 24 * HOUR_MS;
  const aside = new Date(from).getTimezoneOffset() * MINUTE_MS;
  const first = Math.ceil((from - aside) / step) * step + aside;
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, n) => first + n * step);
}
