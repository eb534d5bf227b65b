// Risk
// One mark of an input: which row of the table it shows, and where.
//
//   Owns:          its shape.
//   Does not own:  finding it (risks.ts).

import type { Level } from "./table.ts";

export interface Risk {
  readonly id: string;
  readonly level: Level;
  readonly label: string;
  readonly why: string;
  /** The words of the input that show it. */
  readonly found: string;
}

/** @param found the words of the input that show it. */
export const riskOf = ({ id, level, label, why }: Omit<Risk, "found">, found: string): Risk => ({
  ...{ id, level, label, why },
  found,
});
