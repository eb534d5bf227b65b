// Live transcripts
// Recorded sessions as an engine meets them: hooks over HTTP while the transcripts grow, judged by what both prove.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectProven } from "../support/oracle/proven.ts";
import { type Following, following } from "../support/sessions/following.ts";
import { asHeardLive, Projects, stepsOf } from "../support/sessions/live.ts";
import { playedCalls } from "../support/sessions/play.ts";
import { allRecordings, recording } from "../support/sessions/recording.ts";
import { listAt, textAt } from "../support/engine/json.ts";

let projects: Projects;
let engine: Following;
beforeEach(async () => {
  projects = new Projects();
  engine = await following({ transcripts: [projects.root] });
});
afterEach(async () => {
  await engine.stop();
  projects.clear();
});

describe.each(allRecordings().map((recording) => [recording.name, recording] as const))(
  "%s",
  (_, recording) => {
    test("TRANSCRIPTS-TAILER-1, I-24: hooks over HTTP, and the transcripts as they grew, leave each call as both prove it", async () => {
      const steps = stepsOf(recording, projects);
      for (const step of steps) await engine.take(step);
      await engine.untilRead(steps.filter((step) => step.do === "append").length);
      await engine.applied();
      expectProven(playedCalls(engine.engine), asHeardLive(recording), "all");
      expect(await engine.letters()).toEqual([]);
    });

    test("I-24: the same where each line is known before the next thing happens", async () => {
      let lines = 0;
      for (const step of stepsOf(recording, projects)) {
        await engine.take(step);
        // Before a hook named it, nobody reads a file.
        if (step.do === "append") lines += 1;
        else if (lines > 0 && "transcript_path" in step.payload) await engine.untilRead(lines);
      }
      await engine.untilRead(lines);
      await engine.applied();
      expectProven(playedCalls(engine.engine), asHeardLive(recording), "all");
    });
  },
);

describe("I-24: a history that is read late", () => {
  const session = "08ae6fb8-f708-4d38-b0f1-079c391bd7f6";
  const hook = (says: object): Promise<number> =>
    engine.hook({
      session_id: session,
      transcript_path: projects.path(session),
      cwd: "/home/dev/shop",
      prompt_id: "p-now",
      ...says,
    });
  const state = async () => {
    const requests = listAt(await engine.get("/v1/requests"), "items");
    const calls = listAt(await engine.get(`/v1/sessions/${session}/tool-calls`), "items");
    const by = (list: readonly unknown[], key: string, value: string): Readonly<Record<string, string>> =>
      Object.fromEntries(list.map((each) => [textAt(each, key) ?? "", textAt(each, value) ?? ""]));
    return { requests: by(requests, "requestId", "state"), calls: by(calls, "id", "execution") };
  };

  test("I-24: ends nothing of the prompt in hand, and is told as it was", async () => {
    const lines = stepsOf(recording("s1-ten-allowed"), projects).filter((step) => step.do === "append");
    for (const line of lines) await engine.take(line);
    await hook({ hook_event_name: "UserPromptSubmit", prompt: "go on" });
    const now = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_now" };
    await hook({ hook_event_name: "PreToolUse", ...now });
    await engine.untilRead(lines.length);
    await engine.applied();
    const { requests, calls } = await state();
    expect(requests).toEqual({ "6b00d467-b0fd-4785-903b-2763d94335c3": "completed", "p-now": "processing" });
    expect(calls["toolu_now"]).toBe("processing");
    expect(Object.values(calls).filter((execution) => execution === "completed")).toHaveLength(10);
    await hook({ hook_event_name: "PostToolUse", ...now, tool_response: {} });
    await hook({ hook_event_name: "Stop" });
    await engine.applied();
    expect(await state()).toMatchObject({
      requests: { "p-now": "completed" },
      calls: { toolu_now: "completed" },
    });
  });

  test("I-24: its prompts end what each of them left open, one after the other", async () => {
    const prompt = (id: string): string =>
      `${JSON.stringify({ type: "user", uuid: id, sessionId: session, promptId: id, timestamp: "2026-11-01T10:00:00Z", message: { role: "user", content: `prompt ${id}` } })}\n`;
    const path = projects.path(session);
    await hook({ hook_event_name: "UserPromptSubmit", prompt: "go on" });
    for (const id of ["p-1", "p-2", "p-now"]) await engine.take({ do: "append", path, text: prompt(id) });
    await engine.untilRead(3);
    await engine.applied();
    expect((await state()).requests).toEqual({ "p-1": "failed", "p-2": "failed", "p-now": "processing" });
  });
});
