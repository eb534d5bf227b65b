// Live transcripts
// Recorded sessions as an engine meets them: hooks over HTTP while the transcripts grow, judged by what both prove.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectProven } from "../support/oracle/proven.ts";
import { type Following, following } from "../support/sessions/following.ts";
import { asHeardLive, Projects, stepsOf } from "../support/sessions/live.ts";
import { playedCalls } from "../support/sessions/play.ts";
import { allRecordings } from "../support/sessions/recording.ts";

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
    test("TL16, I-24: hooks over HTTP, and the transcripts as they grew, leave each call as both prove it", async () => {
      const steps = stepsOf(recording, projects);
      for (const step of steps) await engine.take(step);
      await engine.untilRead(steps.filter((step) => step.do === "append").length);
      await engine.applied();
      expectProven(playedCalls(engine.engine), asHeardLive(recording), "all");
      expect(await engine.letters()).toEqual([]);
    });
  },
);
