// Case
// A rule of the house, with a small tree that keeps it and files that break it.
//
//   Owns:          the shape.
//   Does not own:  the cases (cases.ts, import-cases.ts).

import type { Rule } from "./imports.ts";

export interface Case {
  readonly claim: string;
  readonly rule: Rule;
  /** The rule for this tree, if a small tree needs another. */
  readonly here?: Rule;
  readonly kept: Readonly<Record<string, string>>;
  /** One more file, and the place that the rule reports. */
  readonly broken: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
