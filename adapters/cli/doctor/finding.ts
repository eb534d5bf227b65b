// Finding
// The result of one check of the doctor.
//
//   Owns:          its shape, its lines.
//   Does not own:  the checks (checks.ts, running.ts).

import { RefusedError } from "../../../runtime/errors/errors.ts";
import { Failure } from "../failures/failure.ts";
import { oneLine } from "../../../runtime/text/visible.ts";

/** `look`: the part works, and a user should look at it. */
export type Verdict = "ok" | "look" | "wrong";

export interface Finding {
  readonly check: string;
  readonly is: Verdict;
  readonly found: string;
  readonly next?: string;
  /** The code of an engine's trouble, which has a section in docs/how-to/operations.md. */
  readonly code?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, is: "ok", found });
export const look = (check: string, found: string, next: string): Finding => ({
  ...{ check, is: "look", found, next },
});
export const wrong = (check: string, found: string, next: string): Finding => ({
  ...{ check, is: "wrong", found, next },
});

/** A check that throws becomes a finding of its own: the other checks go on. */
export async function tried(
  check: string,
  make: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof RefusedError || error instanceof Failure)
      return [wrong(check, error.message, error.next)];
    const why = error instanceof Error ? error.message : String(error);
    return [
      wrong(
        check,
        `It could not be looked at: ${why}`,
        "This check could not be made; the other checks go on.",
      ),
    ];
  }
}

const CHECK_WIDTH = 8;

/** @returns the lines of a finding, with the next step on a line of its own. */
export function linesOf({ check, is, found, next }: Finding): readonly string[] {
  const head = `${is.padEnd(5)}  ${check.padEnd(CHECK_WIDTH)}  ${oneLine(found)}`;
  return next === undefined ? [head] : [head, `${" ".repeat(CHECK_WIDTH + 9)}→ ${oneLine(next)}`];
}
