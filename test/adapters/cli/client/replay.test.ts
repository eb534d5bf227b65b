// Replay
// Recorded files played through the real program: what it prints, what it changes, how it treats bad lines.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deskForAll } from "../../../support/processes/desk-for-all.ts";
import { jsonLines } from "../../../support/processes/program.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { prove } from "../../../support/oracle/oracle.ts";
import { recording, recordingPath } from "../../../support/sessions/recording.ts";

const TEN = recordingPath("s1-ten-allowed", "hooks.jsonl");
const desk = deskForAll();

/** A copy of a recording's hooks with some lines changed. */
function changedCopy(name: string, change: (lines: string[]) => void): string {
  const lines = readFileSync(TEN, "utf8").split("\n");
  change(lines);
  const path = join(desk.dir, name);
  writeFileSync(path, lines.join("\n"));
  return path;
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

describe("replay", () => {
  it("CLI: hooks of ten allowed calls end as ten completed calls, in a private engine", async () => {
    const { code, out, err } = await desk.run(["replay", TEN]);
    expect(err).toBe("");
    expect(lastLine(out)).toBe("1 session · 1 request: 1 completed · 10 calls: 10 completed");
    expect(out.match(/^ {2}toolu_\w+ +\w+ +completed$/gm)).toHaveLength(10);
    expect(code).toBe(0);
  });

  it.each([
    "s2-pre-deny",
    "s3-permreq-deny-interrupt",
    "s5-sigkill-resume",
    "s6-subagent",
    "s9-two-sessions",
  ])(
    "CLI, FILES-1: the folder of %s, all three kinds of file, ends as the recording proves",
    async (name) => {
      const { code, out } = await desk.run(["replay", recordingPath(name, ""), "--json"]);
      const calls = jsonLines(out).filter((line) => textAt(line, "kind") === "call");
      const ends = calls.map((call) =>
        [textAt(call, "sessionId"), textAt(call, "id"), textAt(call, "execution")].join(" "),
      );
      const proven = prove(recording(name), "all").map((proof) =>
        [proof.sessionId, proof.toolUseId, proof.execution].join(" "),
      );
      expect(ends.toSorted()).toEqual(proven.toSorted());
      expect(code).toBe(0);
    },
  );

  it("CLI, REPLAY-ENVELOPE-1: playing the same again changes nothing", async () => {
    const { url } = await desk.up("--data", join(desk.dir, "twice"));
    const target = ["--url", url, "--data", join(desk.dir, "twice")];
    const folder = recordingPath("s3-permreq-deny", "");
    expect(await desk.run(["replay", folder, ...target])).toMatchObject({ code: 0, err: "" });
    const first = await desk.run(["export", ...target]);
    const second = await desk.run(["replay", folder, ...target]);
    expect(second.out).toContain("had been played before and changed nothing");
    expect((await desk.run(["export", ...target])).out).toBe(first.out);
    expect(jsonLines(first.out).filter((line) => textAt(line, "kind") === "change").length).toBeGreaterThan(
      20,
    );
  });

  it("CLI, FILES-2: a cut line is named with file, line and reason, and all others are played", async () => {
    const path = changedCopy("cut.jsonl", (lines) => (lines[2] = lines[2]!.slice(0, 120)));
    const { code, out, err } = await desk.run(["replay", path]);
    expect(code).toBe(1);
    expect(err).toMatch(/cut\.jsonl:3: .*JSON.* The line was left out\.\n$/);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(lastLine(out)).toBe("1 session · 1 request: 1 completed · 10 calls: 10 completed");
  });

  it("CLI: a line of the wrong shape is named with its field, and the lines around it are played", async () => {
    const path = changedCopy(
      "shape.jsonl",
      (lines) => (lines[9] = lines[9]!.replace(/"tool_name": "\w+"/, '"tool_name": 7')),
    );
    const { code, out, err } = await desk.run(["replay", path]);
    expect(code).toBe(1);
    expect(err).toMatch(/shape\.jsonl:10: .*tool_name/);
    expect(lastLine(out)).toMatch(/10 calls/);
  });

  it("CLI: a file that is no recording is an error when named, and only mentioned when found in a folder", async () => {
    const folder = join(desk.dir, "mixed");
    mkdirSync(folder);
    writeFileSync(join(folder, "hooks.jsonl"), readFileSync(TEN));
    for (const name of ["a", "b", "c", "d", "other"])
      writeFileSync(join(folder, `${name}.jsonl`), '{"hello":"world"}\n');
    const whole = await desk.run(["replay", folder]);
    expect([whole.code, whole.err]).toEqual([
      0,
      expect.stringMatching(
        /^5 files are left out, none of their lines is a hook payload, a .*: \S+a\.jsonl, \S+b\.jsonl, \S+c\.jsonl, and 2 more\n$/,
      ),
    ]);
    const alone = await desk.run(["replay", join(folder, "other.jsonl")]);
    expect(alone).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/other\.jsonl: No line of the file .*the file was left out\.\n$/) as string,
    });
  });

  it("CLI: a file cut off in the middle of its last line is reported, and that line is left out", async () => {
    const path = changedCopy("open.jsonl", (lines) => {
      while (lines.at(-1) === "") lines.pop();
      lines.push(lines.pop()!.slice(0, 80));
    });
    const { code, out, err } = await desk.run(["replay", path]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^\S+open\.jsonl:\d+: The file is cut off in the middle of this line\. The line was left out\.\n$/,
      ),
    ]);
    expect(lastLine(out)).toMatch(/10 calls/);
  });

  it("CLI, REPLAY-PACE-1: --speed plays all files side by side and ends the same", async () => {
    const folder = recordingPath("s4-identical", "");
    const fast = await desk.run(["replay", folder, "--json"]);
    const paced = await desk.run(["replay", folder, "--json", "--speed", "50"]);
    const ends = (text: string) =>
      jsonLines(text)
        .map((line) => [at(line, "kind"), at(line, "id"), at(line, "execution"), at(line, "state")].join(" "))
        .toSorted();
    expect(ends(paced.out)).toEqual(ends(fast.out));
    expect(paced.code).toBe(0);
  });
});
