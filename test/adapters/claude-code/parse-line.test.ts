import { describe, expect, test } from "vitest";
import { parseLine } from "../../../adapters/claude-code/index.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { recording } from "../../support/sessions/recording.ts";

describe("FOREIGN-FIELDS-1: a line that is not whole", () => {
  const { hooks, stream, transcripts } = recording("t3-tui-deny-feedback");
  const lines = [hooks, stream, recording("s5-fail").stream, ...transcripts].flatMap(
    (file) => file.lines[9] ?? [],
  );

  test.each(lines)(
    "FOREIGN-FIELDS-1: cut at any byte it is refused, and says why ($text)",
    ({ text, value }) => {
      const bytes = Buffer.from(text);
      expect(parseLine(text)).toEqual(value);
      for (let end = 0; end < bytes.length; end += bytes.length > 5000 ? 37 : 1) {
        const cut = () => parseLine(bytes.subarray(0, end).toString());
        expect(cut).toThrow(RefusedError);
        expect(cut).toThrow(/^The line is not complete JSON: .{5}/);
      }
    },
  );

  test("FOREIGN-FIELDS-1: a line of spaces is refused as empty", () => {
    expect(() => parseLine("  \r")).toThrow("The line is not complete JSON: It is empty.");
  });
});
