// Receipt
// How far an answer got, from each set of facts that may be known of it.

import { describe, expect, test } from "vitest";
import { type Answered, type Receipt, receiptOf, withOther } from "../../../machines/evidence/receipt.ts";

const INPUT = { input: { hash: "asked" } };
const EDITED = { ...INPUT, updatedInput: { hash: "edited" } };
const TAKEN = { taken: { at: 3, by: "gate" } };
const ALONE = { alone: { at: 4, said: "ask" } } as const;
const LEFT = { left: { at: 5 } };
const ranOn = (inputHash?: string) => ({ ran: { at: 9, ...(inputHash !== undefined && { inputHash }) } });
const NOT_RUN = { notRun: { at: 8 } };

const stepOf = (state: string, facts: Answered): Receipt["step"] | undefined =>
  receiptOf(state, { closedAt: 2, ...facts })?.step;

describe("a receipt", () => {
  test.each<[string, Answered, Receipt["step"]]>([
    ["approved", INPUT, "committed"],
    ["approved", { ...INPUT, ...TAKEN }, "taken"],
    ["approved", { ...INPUT, ...ALONE }, "lapsed"],
    ["approved", { ...INPUT, ...LEFT }, "lapsed"],
    ["approved", { ...INPUT, ...ALONE, ...ranOn("asked") }, "lapsed"],
    ["approved", { ...INPUT, ...ranOn("asked") }, "confirmed"],
    ["approved", { ...INPUT, ...ranOn() }, "confirmed"],
    ["approved", { ...INPUT, ...ranOn("other") }, "contradicted"],
    ["approved", { ...INPUT, ...NOT_RUN }, "contradicted"],
    ["approved", { ...EDITED, ...ranOn("edited") }, "confirmed"],
    ["approved", { ...EDITED, ...ranOn("asked") }, "contradicted"],
    ["approved", { ...INPUT, ...NOT_RUN, ...ranOn("asked") }, "confirmed"],
    ["denied", { ...INPUT, ...NOT_RUN }, "confirmed"],
    ["denied", { ...INPUT, ...ranOn("asked") }, "contradicted"],
  ])("RECEIPT-4, RECEIPT-1: %s, with %j, is %s", (state, facts, step) => {
    expect(stepOf(state, facts)).toBe(step);
  });

  test("RECEIPT-2: who took an answer did not let it lapse, whatever else is said", () => {
    for (const gone of [ALONE, LEFT, { ...ALONE, ...LEFT }]) {
      expect(stepOf("approved", { ...INPUT, ...gone, ...TAKEN })).toBe("taken");
      expect(stepOf("approved", { ...INPUT, ...gone, ...TAKEN, ...ranOn("asked") })).toBe("confirmed");
    }
  });

  test("RECEIPT-1: only an answer that was given here has one", () => {
    for (const state of ["pending", "expired", "withdrawn"]) expect(stepOf(state, INPUT)).toBeUndefined();
    expect(stepOf("approved", { ...INPUT, observed: true })).toBeUndefined();
    expect(receiptOf("approved", INPUT)).toBeUndefined();
  });

  test("I-14: of the answers that came too late the newest eight are kept, the oldest first", () => {
    const late = Array.from({ length: 20 }, (_, at) => ({ at, by: "bob", decision: "deny" }) as const);
    for (let count = 1; count <= late.length; count += 1) {
      const kept = late.slice(0, count).reduce<ReturnType<typeof withOther>>(withOther, []);
      expect(kept).toEqual(late.slice(Math.max(0, count - 8), count));
    }
  });
});
