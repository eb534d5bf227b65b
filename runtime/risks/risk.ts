// Risk
// A risk mark of an input: the row of the table that the input shows, and where.
//
//   Owns:          its shape.
//   Does not own:  finding marks (risks.ts).

import type { Level } from "./table.ts";

export interface Risk {
  readonly id: string;
  readonly level: Level;
  readonly label: string;
  readonly why: string;
  /** The words of the input that show it. */
  readonly found: string;
}

export const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});
