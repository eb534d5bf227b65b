// Figures
// Draws for each day how approvals were answered: who answered, how long it took, how many answers were denials.
//
//   Owns:          which drawings of the answers there are, and the words in them.
//   Does not own:  drawing the columns (days.tsx), counting the answers (the engine).

import type { Answers } from "../../../../runtime/reading/figures/answers.ts";
import { count, COUNTED, TIMED } from "../parts/columns.tsx";
import { duration } from "../parts/time.tsx";
import { type Column, daysOf, hrefOfLooked, type Looked, type Times } from "./address.ts";
import { type DayPart, Days } from "./days.tsx";
import { ENDERS } from "./told.ts";

const BY_WHOM: readonly DayPart[] = ENDERS.map(({ key, name }) => ({
  name,
  look: key,
  of: (row) => row[key],
}));
const WAITS: readonly DayPart[] = [
  { name: "Nine of ten within", look: "most", of: ({ waitMs }) => waitMs.p90 ?? 0 },
  { name: "Half within", look: "half", of: ({ waitMs }) => waitMs.p50 ?? 0 },
];
/** Used for figures of several engines together: percentiles cannot be added up, so only the longest wait is known. */
const LONGEST: readonly DayPart[] = [{ name: "Longest", look: "most", of: ({ waitMs }) => waitMs.longest }];
const DENIED: readonly DayPart[] = [{ name: "Denied", look: "denied", of: ({ denied }) => denied }];

interface Props {
  readonly answers: Answers;
  readonly times: Times;
  readonly looked: Looked;
}

export function Figures({ answers: { all, tables }, times, looked }: Props) {
  const rows = new Map(tables.day.map((row) => [row.name, row]));
  const shared = (column: Column) => ({
    rows,
    days: daysOf(times),
    onDay(name: string) {
      location.hash = hrefOfLooked(looked, { column, row: { table: "day", name } });
    },
  });
  const { waitMs, allowed, denied, asked } = all;
  const { p50, p90, longest } = waitMs;
  const waits =
    waitMs.count === 0
      ? "nobody answered here in this time"
      : p50 === undefined || p90 === undefined
        ? `the longest ${duration(longest)}`
        : `half within ${duration(p50)}, nine of ten within ${duration(p90)}`;
  const answered = allowed + denied;
  const share = answered === 0 ? "" : `, ${Math.round((denied / answered) * 100)} % of the answers`;
  return (
    <div class="tiles">
      <Days
        {...shared("asked")}
        {...COUNTED}
        {...{ title: "Who answered", parts: BY_WHOM, summary: `${count(asked)} asked` }}
      />
      <Days
        {...shared("person")}
        {...TIMED}
        {...{ title: "Time to answer here", parts: p90 === undefined ? LONGEST : WAITS, summary: waits }}
        hasLegend
      />
      <Days
        {...shared("denied")}
        {...COUNTED}
        {...{ title: "Denied", parts: DENIED, summary: `${count(denied)} denied${share}` }}
      />
    </div>
  );
}
