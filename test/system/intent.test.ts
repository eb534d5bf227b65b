// The intents of calls in an engine, from recordings of the real client, against what a person judged.

import { describe, expect, test } from "vitest";
import { Queries } from "../../runtime/reading/queries.ts";
import { at } from "../support/engine/json.ts";
import { Rig } from "../support/engine/rig.ts";
import { labels } from "../support/intent/labels.ts";
import { messages, ORDERS, type Part, play, playedCalls } from "../support/sessions/play.ts";
import { allRecordings, type Recording, recording } from "../support/sessions/recording.ts";

const SURE = ["weak", "likely", "certain"];
const LABELS = labels().filter(({ right, recording }) => right !== "none" && recording !== "s9-resume-fork");

async function judged(recorded: Recording, parts: readonly Part[]) {
  const rig = await Rig.start();
  await play(rig.engine, rig.clock, messages(recorded, parts));
  const calls = playedCalls(rig.engine);
  return LABELS.filter((each) => each.recording === recorded.name).map(({ call, right, atMost }) => {
    const intent = calls.find(({ toolUseId }) => toolUseId === call)?.context.intent;
    const isTooSure = SURE.indexOf(intent?.confidence ?? "weak") > SURE.indexOf(atMost ?? "weak");
    return { call, right, intent, isRight: intent?.text === right && !isTooSure, isTooSure };
  });
}

describe("intents in an engine", () => {
  test.each(allRecordings())(
    "S2.29, S2.71: $name: from the stream, or the transcript, each labelled call has the right one",
    async (recorded) => {
      const told = await judged(recorded, ["transcript"]);
      expect(told.filter(({ isRight }) => !isRight)).toEqual([]);
      // The stream leaves out what subagents say: their calls have their own description then.
      const streamed = await judged(recorded, ["stream"]);
      const said = streamed.filter(({ intent }) => intent !== undefined && intent.source !== "description");
      expect(said.filter(({ isRight }) => !isRight)).toEqual([]);
    },
  );

  test.each(ORDERS.map((order) => [order.join(", "), order] as const))(
    "S2.15, S2.30: with every source, in the order %s, the best one stays",
    async (_, order) => {
      for (const name of ["s7-intent", "s1-slow-stream", "s4-identical"]) {
        const wrong = (await judged(recording(name), order)).filter(({ isRight }) => !isRight);
        expect(wrong).toEqual([]);
      }
    },
  );

  test("S2.28, S2.30: from hooks alone what was displayed is likely, and never wrong", async () => {
    for (const recorded of allRecordings()) {
      for (const { intent, right } of await judged(recorded, ["hooks"])) {
        if (intent?.source === "display")
          expect(intent).toEqual({ text: right, source: "display", confidence: "likely" });
      }
    }
  });

  test("S2.30: the view of a call has it, and its changes", async () => {
    const rig = await Rig.start();
    await play(rig.engine, rig.clock, messages(recording("s7-intent"), ["stream"]));
    const queries = new Queries(rig.engine);
    const id = "toolu_01S7call04xxxxxxxxxxxxxx";
    const intent = { text: "INTENT-4: then step four.", source: "message", confidence: "certain" };
    expect(at(queries.getToolCall(id), "intent")).toEqual(intent);
  });

  test("S2.30, I-49: where a transcript told the words, the view has their line, whichever source came first", async () => {
    const recorded = recording("s7-intent");
    const holds = recorded.transcripts[0]?.lines.find(
      ({ value }) => at(value, "message", "content", 0, "text") === "INTENT-4: then step four.",
    );
    const line = at(holds?.value, "uuid");
    expect(line).toEqual(expect.any(String));
    for (const parts of [["stream", "transcript"], ["transcript", "stream"], ["transcript"]] as const) {
      const rig = await Rig.start();
      await play(rig.engine, rig.clock, messages(recorded, parts));
      const view = new Queries(rig.engine).getToolCall("toolu_01S7call04xxxxxxxxxxxxxx");
      expect(at(view, "intent", "line"), parts.join()).toBe(line);
    }
  });
});
