// `signalbox intent`, as a user types it.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deskForAll } from "../../../support/processes/desk-for-all.ts";
import { recordingPath } from "../../../support/sessions/recording.ts";

const S7 = recordingPath("s7-intent", "transcripts/e4951649-28ec-454d-8916-74e05b49fb78.jsonl");
const CALL_4 = "toolu_01S7call04xxxxxxxxxxxxxx";
const S6 = recordingPath("s6-subagent", "transcripts/b97363b2-db85-4390-8792-54058d2bb788.jsonl");
const desk = deskForAll();

describe.concurrent("signalbox intent", () => {
  it("S2.38, COMMANDS-INTENT-1: of one call it tells the words, their source, how sure that is, and where they stand", async () => {
    const { code, out } = await desk.run(["intent", S7, CALL_4]);
    expect(code).toBe(0);
    expect(out).toMatch(/^INTENT-4: then step four\.\n\(message, certain, at byte \d+ of .*\.jsonl\)\n$/);
    const { out: json } = await desk.run(["intent", S7, CALL_4, "--json"]);
    expect(JSON.parse(json)).toMatchObject({ outcome: "found", text: "INTENT-4: then step four." });
  });

  it("S2.27, S2.66: without an id, by tool, input, time and a window of one's own", async () => {
    const input = '{"command":"sh step.sh 2 0.3 0","description":"call 2"}';
    const asked = ["intent", S7, "--tool", "Bash", "--input", input, "--at", "2026-11-21T20:31:01.300Z"];
    const { code, out } = await desk.run(asked);
    expect([code, out]).toEqual([0, expect.stringMatching(/^INTENT-1.*\n\(parent, likely, /)]);
    const late = await desk.run([...asked.slice(0, -1), "2026-11-21T20:33:00Z"]);
    expect([late.code, late.out]).toEqual([1, ""]);
    const wide = await desk.run([...asked, "--window", "1", "--entries", "2"]);
    expect(wide.code).toBe(1);
  });

  it("S2.9: without a call it lists those among the newest entries, a subagent's from its own file", async () => {
    const { out } = await desk.run(["intent", S7]);
    expect(out).toMatch(/^CALL +TOOL +SOURCE +SURE +INTENT\n/);
    expect(out.trimEnd().split("\n")).toHaveLength(6);
    const { out: agents } = await desk.run(["intent", S6, "--agent", "a84766ca5a46b4837", "--json"]);
    const lines = agents
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject(Array.from({ length: 3 }, () => ({ text: "sub a works" })));
  });

  it("S2.40, S2.45: without words it prints none, says why, and ends with 1", async () => {
    const { code, out, err } = await desk.run(["intent", S7, "toolu_none"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("No call toolu_none is in ");
    const gone = await desk.run(["intent", join(desk.dir, "gone.jsonl")]);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("There is no file")]);
    const folder = await desk.run(["intent", desk.dir, "toolu_none", "--json"]);
    expect([folder.code, JSON.parse(folder.out)]).toEqual([
      1,
      expect.objectContaining({ code: "NOT_A_FILE" }),
    ]);
  });
});
