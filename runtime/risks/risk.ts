// Risk
// A risk mark of an input: the row of the table that the input shows, and where.
//
//   Owns:          the shape of a mark.
//   Does not own:  finding marks (risks.ts).

import type { RiskRow } from "./table.ts";

export interface Risk extends Pick<RiskRow, "id" | "level" | "label" | "why"> {
  /** The words of the input that show the risk. */
  readonly found: string;
}

export const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});
