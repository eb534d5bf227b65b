// Risk
// The type of a risk mark of an input: the row of the table of risks that fits the input, and where in the input.
//
//   Owns:          the shape of a risk mark.
//   Does not own:  finding risk marks (risks.ts).

import type { RiskRow } from "./table.ts";

export interface Risk extends Pick<RiskRow, "id" | "level" | "label" | "why"> {
  /** The words of the input that show the risk. */
  readonly found: string;
}

export const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});
