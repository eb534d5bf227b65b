// Heads
// The head row of a table, which names the columns.
//
//   Owns:          the row that names the columns of a table.
//   Does not own:  the other rows of the table.

import type { ComponentChildren } from "preact";

interface Props {
  readonly names: readonly ComponentChildren[];
  /** The names of the columns that hold numbers. */
  readonly numbers?: readonly string[];
  /** Further cells of the row. */
  readonly children?: ComponentChildren;
}

export const Heads = ({ names, numbers = [], children }: Props) => (
  <thead>
    <tr>
      {names.map((name, index) => (
        <th key={index} scope="col" class={numbers.some((each) => each === name) ? "number" : undefined}>
          {name}
        </th>
      ))}
      {children}
    </tr>
  </thead>
);
