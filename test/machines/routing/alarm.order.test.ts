// Alarm, the order
// Where several alarms fit a call, the gravest is told, whatever else is known of the call.

import { expect, test } from "vitest";
import { type Alarm, alarmOf, type CallContext } from "../../../machines/index.ts";

/** What makes each kind of alarm fit, by itself. */
const FITS = {
  executedAfterDenial: { execution: "denied", denial: { cause: "denied" } },
  unapprovedExecution: { approval: { id: "g1", at: 1, closes: "deny" } },
  gateFailedOpen: { gated: "all" },
} as const;
const GRAVEST = ["executedAfterDenial", "unapprovedExecution", "gateFailedOpen"] as const;

const alarmWhere = (kinds: readonly (keyof typeof FITS)[]): Alarm | undefined => {
  const { execution = "completed", ...facts } = Object.assign({}, ...kinds.map((kind) => FITS[kind])) as {
    readonly execution?: string;
  };
  const context = { id: "c1", ran: { at: 5 }, ...facts } as unknown as CallContext;
  return alarmOf({ execution, approval: "expired", context });
};

test.each(GRAVEST)("ALARM-3: %s by itself is told", (kind) => {
  expect(alarmWhere([kind])).toMatchObject({ kind, at: 5 });
});

test("ALARM-3: of any that fit together the first of these is told: a denial, a run that nothing allowed, a gate that never asked", () => {
  for (let which = 1; which < 2 ** GRAVEST.length; which += 1) {
    const fitting = GRAVEST.filter((_, n) => (which & (2 ** n)) !== 0);
    expect(alarmWhere(fitting)?.kind, fitting.join(" and ")).toBe(fitting[0]);
  }
  expect(alarmWhere([])).toBeUndefined();
});
