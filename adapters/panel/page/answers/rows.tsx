// Rows
// A table of the answers by day, tool or approver. Each row has bars of who answered and of how long the answers took.
//
//   Owns:          the rows of the table of answers, the link behind each number.
//   Does not own:  what the numbers count (the engine), listing the approvals that a number counts (listed.tsx).
//
// ANSWERS-ROWS-1. Each number of approvals in the table is a link to the list of exactly those approvals.

import type { ComponentChildren } from "preact";
import type { AnswersRow, Waits as WaitTimes } from "../../../../runtime/reading/figures/answers.ts";
import { Heads } from "../parts/heads.tsx";
import { Line } from "../parts/text.tsx";
import { duration } from "../parts/time.tsx";
import { type Column, COLUMNS, hrefOfLooked, type Looked, type NumberOf, TABLES } from "./address.ts";
import { ENDERS } from "./told.ts";

const AMOUNTS = ["Asked", "Allowed", "Denied"];
const TIMES = ["Half within", "Nine of ten within"];

export function Rows({ looked, rows }: { readonly looked: Looked; readonly rows: readonly AnswersRow[] }) {
  const most = Math.max(1, ...rows.map(({ asked }) => asked));
  const longest = Math.max(1, ...rows.map(({ waitMs }) => waitMs.p90 ?? 0));
  const head = TABLES[looked.table];
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={`Answers by ${head.toLowerCase()}`}>
      <table class="tile">
        <Heads
          names={[head, "By whom", ...AMOUNTS, "Time to answer", ...TIMES]}
          numbers={[...AMOUNTS, ...TIMES]}
        />
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} {...{ row, looked, most, longest }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: AnswersRow;
  readonly looked: Looked;
  readonly most: number;
  readonly longest: number;
}

function Row({ row, looked, most, longest }: RowProps) {
  const { name, waitMs } = row;
  const numbers = (["asked", "allowed", "denied"] as const).map((column) => (
    <td key={column} class="number" data-head={COLUMNS[column]}>
      <Amount looked={looked} value={row[column]} number={numberOf(looked, name, column)} />
    </td>
  ));
  return (
    <tr>
      <th scope="row">{name === "" ? <span class="quiet">not known</span> : <Line text={name} />}</th>
      <td class="bar-cell">
        <Bar row={row} most={most} />
      </td>
      {numbers}
      <td class="bar-cell waits">{waitMs.count > 0 && <Waits {...waitMs} most={longest} />}</td>
      {[waitMs.p50, waitMs.p90].map((ms, n) => (
        <td key={n} class="number" data-head={n === 0 ? "half of the answers within" : "nine of ten within"}>
          {waitMs.count > 0 && ms !== undefined && duration(ms)}
        </td>
      ))}
    </tr>
  );
}

/** The list that a number links to; undefined for the row without a name and for the row of all others, which have no list. */
const numberOf = ({ table }: Looked, name: string, column: Column): NumberOf | undefined =>
  name === "" || name === "(others)" ? undefined : { column, row: { table, name } };

interface AmountProps {
  readonly looked: Looked;
  readonly value: number;
  readonly number: NumberOf | undefined;
}

export function Amount({ looked, value, number }: AmountProps) {
  if (value === 0 || !number) return <>{value.toLocaleString()}</>;
  const whose = number.row ? `${number.row.name}, ` : "";
  return (
    <a
      href={hrefOfLooked(looked, number)}
      aria-label={`${value.toLocaleString()}: ${whose}${COLUMNS[number.column]}`}
    >
      {value.toLocaleString()}
    </a>
  );
}

/** A bar as long as the row's number of approvals, divided by who settled them. */
function Bar({ row, most }: { readonly row: AnswersRow; readonly most: number }) {
  const parts = ENDERS.filter(({ key }) => row[key] > 0);
  const told = parts.map(({ key, name }) => `${name}: ${row[key].toLocaleString()}`).join(", ");
  return (
    <Share told={told} of={row.asked / most}>
      {parts.map(({ key }) => (
        <span key={key} class={key} style={{ flexGrow: row[key] }} />
      ))}
    </Share>
  );
}

/** A bar for the time within which nine of ten answers came; its first part is the time within which half of them came. */
function Waits({ p50, p90, most }: WaitTimes & { readonly most: number }) {
  if (p50 === undefined || p90 === undefined) return null;
  const told = `Half within ${duration(p50)}, nine of ten within ${duration(p90)}`;
  return (
    <Share told={told} of={p90 / most}>
      <span class="half" style={{ flexGrow: p50 }} />
      <span class="most" style={{ flexGrow: p90 - p50 }} />
    </Share>
  );
}

interface ShareProps {
  readonly told: string;
  /** The bar's part of the full width, from 0 to 1. */
  readonly of: number;
  readonly children: ComponentChildren;
}

const Share = ({ told, of, children }: ShareProps) => (
  <div class="share" role="img" aria-label={told} title={told} style={{ width: `${of * 100}%` }}>
    {children}
  </div>
);
