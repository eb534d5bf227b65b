// Telemetry
// What an event of the client's telemetry says, and by which id it is known, field by field.

import { describe, expect, test } from "vitest";
import { readLogs } from "../../../adapters/claude-code/otlp.ts";
import { translateTelemetry } from "../../../adapters/claude-code/telemetry.ts";

const AT = 1_800_000_000_123;

/** A record of the protocol; fields that are undefined are left out. */
function record(fields: Readonly<Record<string, string | undefined>>, ns: string | undefined): object {
  const attributes = Object.entries(fields).flatMap(([key, stringValue]) =>
    stringValue === undefined ? [] : [{ key, value: { stringValue } }],
  );
  return { ...(ns !== undefined && { timeUnixNano: ns }), attributes };
}

const FIELDS = {
  "session.id": "s1",
  "event.name": "tool_result",
  "event.sequence": "7",
  tool_use_id: "t1",
  success: "true",
};
const eventOf = (fields: Partial<typeof FIELDS> = {}, ns: string | undefined = `${AT}456789`) => {
  const logRecords = [record({ ...FIELDS, ...fields }, ns)];
  const [event] = readLogs({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }).events;
  return event ?? expect.fail("It was not taken.");
};

describe("an event of the protocol", () => {
  test("OTLP-2: happened at the millisecond that its nanoseconds fall into", () => {
    expect(eventOf().at).toBe(AT);
    // No number has all digits of these.
    for (let ms = AT; ms < AT + 50; ms += 1)
      for (const ns of ["000000", "000001", "999999"]) expect(eventOf({}, `${ms}${ns}`).at).toBe(ms);
    for (const ns of ["0", "-1", "soon", "9".repeat(30)]) expect(eventOf({}, ns).at).toBeUndefined();
  });

  test("OTLP-2: is the same only if its name, time, sequence and call are", () => {
    expect(eventOf().id).toBe(eventOf().id);
    const others = [
      eventOf({ "event.name": "tool_decision" }),
      eventOf({}, `${AT + 1}456789`),
      eventOf({ "event.sequence": "8" }),
      eventOf({ tool_use_id: "t2" }),
    ];
    expect(new Set([eventOf(), ...others].map(({ id }) => id)).size).toBe(5);
  });
});

describe("what an event says", () => {
  const call = { toolUseId: "t1", tool: "Bash" };
  const of = (name: string, fields: object) =>
    translateTelemetry({ "event.name": name, tool_use_id: "t1", tool_name: "Bash", ...fields });

  test.each(["true", true])("TELEMETRY-3: a success (%j) is a bare end, with its time", (success) => {
    expect(of("tool_result", { success, duration_ms: "12.5" })).toEqual([
      { type: "tool.finished", call, durationMs: 12.5, bare: true },
    ]);
  });

  test.each(["false", false])("TELEMETRY-3: a failure (%j) is a bare end, with its words", (success) => {
    expect(of("tool_result", { success, error: "it broke", error_type: "Error" })).toEqual([
      { type: "tool.failed", call, error: "it broke", bare: true },
    ]);
    expect(of("tool_result", { success, error_type: "ShellError" })).toMatchObject([{ error: "ShellError" }]);
    expect(of("tool_result", { success })).toMatchObject([{ error: "" }]);
  });

  test("TELEMETRY-1: a decision settles the question, whichever way it goes", () => {
    for (const decision of ["accept", "reject"])
      expect(of("tool_decision", { decision, source: "user_temporary" })[0]).toMatchObject({
        type: "tool.permission",
        decision,
        source: "user_temporary",
        settles: true,
      });
  });

  test("TELEMETRY-2: without the call's id it says nothing", () => {
    expect(of("tool_result", { success: "true", tool_use_id: undefined })).toMatchObject([
      { type: "unknown" },
    ]);
  });
});
