import { expect, test } from "vitest";
import { knownTraceparent, readTraceparent } from "../../../runtime/traces/traceparent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test.each([
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-ff`],
  // A later version may go on; what is known of it is passed on.
  [`cc-${TRACE}-${SPAN}-01-what-comes`, `00-${TRACE}-${SPAN}-01`],
])("TRACEPARENT-1: %s is read", (header, known) => {
  expect(knownTraceparent(header)).toBe(known);
  expect(readTraceparent(header)).toMatchObject({ traceId: TRACE, spanId: SPAN });
});

test.each([
  undefined,
  "",
  "nonsense",
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-1`,
  `0-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01${"-".repeat(300)}`,
])("TRACEPARENT-1: %j counts as none", (header) => {
  expect(knownTraceparent(header)).toBeUndefined();
});
