// Recorded line
// Telling hooks, stream lines and transcript lines apart, by the line alone.

import { describe, expect, it } from "vitest";
import { kindOfLine, recordedLine } from "../../../adapters/claude-code/index.ts";
import { at, textAt } from "../../support/engine/json.ts";
import { allRecordings, type RecordedFile, sessionOfTranscript } from "../../support/sessions/recording.ts";

/** Written by the client's own bookkeeping, without any session. */
const isNobodys = (value: unknown): boolean => textAt(value, "type")?.startsWith("file-history-") === true;

function kindsIn(file: RecordedFile): ReadonlySet<string | undefined> {
  return new Set(file.lines.filter(({ value }) => !isNobodys(value)).map(({ value }) => kindOfLine(value)));
}

describe("recorded line", () => {
  it.each(allRecordings().map((recording) => [recording.name, recording] as const))(
    "RECORDED-LINE-1: %s: every line is of its file's kind",
    (_, { hooks, stream, transcripts, earlierTranscripts }) => {
      expect(kindsIn(hooks)).toEqual(new Set(["hook"]));
      if (stream.lines.length > 0) expect(kindsIn(stream)).toEqual(new Set(["stream"]));
      for (const transcript of [...transcripts, ...earlierTranscripts])
        expect(kindsIn(transcript)).toEqual(new Set(["transcript"]));
    },
  );

  it("RECORDED-LINE-1: what went over other routes is of no kind", () => {
    const others = allRecordings().flatMap(({ canUseTool, mcp, httpHooks }) => [
      ...canUseTool.lines,
      ...mcp.lines,
      ...httpHooks.lines,
    ]);
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(({ value }) => kindOfLine(value) !== undefined)).toEqual([]);
    for (const value of [
      null,
      1,
      "hook",
      [],
      {},
      { type: "user" },
      { payload: { hook_event_name: "Stop" } },
    ]) {
      expect(kindOfLine(value)).toBeUndefined();
    }
  });

  it("RECORDED-LINE-1: a recorder's line and a bare payload carry the same payload", () => {
    const [line] = allRecordings()[0]!.hooks.lines;
    const payload = at(line?.value, "payload");
    const recorded = recordedLine("hook", line?.value);
    expect(recorded).toMatchObject({
      type: "claude-code.hook",
      data: { hook: payload },
      atMs: at(line?.value, "at_ms"),
    });
    const { atMs: _, ...bare } = recorded;
    expect(recordedLine("hook", payload)).toEqual(bare);
  });

  it("RECORDED-LINE-1: a transcript line belongs to the session its file is named after", () => {
    for (const { transcripts } of allRecordings()) {
      for (const { path, lines } of transcripts) {
        const named = lines.flatMap(({ value }) => recordedLine("transcript", value).sessionId ?? []);
        expect(new Set(named)).toEqual(new Set([sessionOfTranscript(path)]));
      }
    }
  });
});
