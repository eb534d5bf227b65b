// Range
// The days whose answers are shown: the last days, or from one day to another.
//
//   Owns:          the buttons and fields that choose the days.
//   Does not own:  where the choice is kept (address.ts).

import { Choice } from "../parts/choice.tsx";
import { type Looked, RANGES } from "./address.ts";

interface Props {
  readonly looked: Looked;
  readonly change: (part: Partial<Looked>) => void;
}

export const RangeChoice = ({ looked: { range, from, to }, change }: Props) => (
  <div class="range">
    {range === "own" && (
      <>
        <Day label="From" value={from} max={to} onDay={(day) => change({ from: day })} />
        <Day label="to" value={to} min={from} onDay={(day) => change({ to: day })} />
      </>
    )}
    <Choice label="How far back" names={RANGES} chosen={range} choose={(each) => change({ range: each })} />
  </div>
);

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onDay: (day: string) => void;
}

const Day = ({ label, value, onDay, ...limits }: DayProps) => (
  <label title="Days are counted in UTC.">
    {label}{" "}
    <input
      type="date"
      value={value}
      {...limits}
      onChange={({ currentTarget: { value: day, validity } }) => {
        // A date that the person has typed only in part is not used yet.
        if (day !== "" && validity.valid) onDay(day);
      }}
    />
  </label>
);
