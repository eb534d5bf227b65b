// Finding
// The result of one of the doctor's checks, called a finding.
//
//   Owns:          the form of a finding, the printed lines about a finding.
//   Does not own:  the checks themselves (checks.ts, running.ts).

import { RefusedError } from "../../../runtime/errors/errors.ts";
import { Failure, reasonOf } from "../failures/failure.ts";
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
const withNext =
  (is: Verdict) =>
  (check: string, found: string, next: string): Finding => ({ check, is, found, next });
export const look = withNext("look");
export const wrong = withNext("wrong");

export type Findings = Finding | readonly (Finding | undefined)[] | undefined;

export async function tried(
  check: string,
  make: () => Findings | Promise<Findings>,
): Promise<readonly Finding[]> {
  try {
    return [await make()].flat().filter((each) => each !== undefined);
  } catch (error) {
    const { reason, next } = reasonOf(error);
    if (error instanceof RefusedError || error instanceof Failure) return [wrong(check, reason, next)];
    const found = `The check failed: ${reason}`;
    return [wrong(check, found, "Remove the cause, and run the check again; the other checks go on.")];
  }
}

const CHECK_WIDTH = 8;

export function linesOf({ check, is, found, next }: Finding): readonly string[] {
  const head = `${is.padEnd(5)}  ${check.padEnd(CHECK_WIDTH)}  ${oneLine(found)}`;
  return next === undefined ? [head] : [head, `${" ".repeat(CHECK_WIDTH + 9)}→ ${oneLine(next)}`];
}
