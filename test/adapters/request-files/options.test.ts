// A tracker's options: what is missing or of another kind is told before a file is touched.

import { describe, expect, it } from "vitest";
import { RequestTracker } from "../../../adapters/request-files/tracker.ts";

describe("a tracker's options", () => {
  it.each([
    [{}, "new RequestTracker needs stateBaseDir, text."],
    [{ stateBaseDir: 5 }, "new RequestTracker takes text as stateBaseDir, and got a number."],
    [{ stateBaseDir: "x", sweepMs: "1" }, "new RequestTracker takes a number as sweepMs, and got text."],
    [undefined, "new RequestTracker takes its options as an object."],
  ])("GIVEN-OPTIONS-1: %j is refused by name", (options, message) => {
    expect(() => new RequestTracker(options as never)).toThrow(
      expect.objectContaining({ code: "BAD_OPTION", message }) as Error,
    );
  });
});
