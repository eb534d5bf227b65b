// Again
// A transcript lags behind the hooks: it is looked at again at the end of each call and of each turn, and the calls
// learn their words from it then.

import { renameSync, rmSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claudeCode } from "../../../adapters/claude-code/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { Tailer } from "../../../adapters/transcripts/tailer.ts";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { following, until } from "../../support/sessions/following.ts";
import { append, Projects } from "../../support/sessions/live.ts";
import { call } from "../../support/sessions/transcript-lines.ts";

let projects: Projects;
beforeEach(() => {
  projects = new Projects();
});
afterEach(() => projects.clear());

const says = (session: string, name: string, more: object = {}) => ({
  session_id: session,
  transcript_path: projects.path(session),
  cwd: "/home/dev/shop",
  hook_event_name: name,
  prompt_id: `p-${session}`,
  ...more,
});
const toolSays = (id: string, name: string, more: object = {}) =>
  says("s1", name, { tool_name: "Bash", tool_input: { command: `echo ${id}` }, tool_use_id: id, ...more });

/** One by itself, on a clock that stands. */
function alone() {
  const clock = new ManualClock(1_000);
  const sent: string[] = [];
  const refused: string[] = [];
  const take = (lines: readonly unknown[]): Promise<unknown> => {
    sent.push(...lines.map((each) => textAt(at(each, "data"), "uuid") ?? ""));
    return Promise.resolve(lines.map(() => ({ reply: { outcome: "applied" } })));
  };
  const record = ({ code }: { readonly code: string }): Promise<void> => {
    refused.push(code);
    return Promise.resolve();
  };
  const tailer = new Tailer({
    roots: [projects.root],
    door: { take, refusals: { record } } as never,
    clock,
    client: claudeCode.transcripts,
    mayName: () => true,
    quota: () => ({ messages: "off", bytes: "off", kept: "off" }),
    journal: () => "test",
    onError: (error) => {
      throw error;
    },
  });
  const hear = (payload: object): void =>
    tailer.heard({ workspace: "shop", session: "s1", data: { hook: payload } } as never, "me");
  return { clock, sent, refused, tailer, hear };
}

describe("a look", () => {
  const ENDS = ["PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop", "SessionEnd"];

  test.each(ENDS)("S2.15: %s makes the file be looked at again, and nothing else need", async (name) => {
    const { clock, sent, tailer, hear } = alone();
    await tailer.start();
    hear(says("s1", "PreToolUse"));
    // The first look, which a stop waits for, finds no file: no bell can ring. The clock stands: no pause ends.
    await tailer.stop();
    append({ path: projects.path("s1"), text: `${call("c1", "s1", { uuid: "line-1" })}\n` });
    clock.advance(30);
    await tailer.start();
    expect(sent).toEqual([]);
    hear(says("s1", name));
    await until(() => Promise.resolve(sent.length > 0));
    expect(sent).toEqual(["line-1"]);
    await tailer.stop();
  });
});

test("TRANSCRIPTS-REFUSED-1: a transcript that was a link for a moment is read on, though no hook names it again", async () => {
  const { clock, sent, refused, tailer, hear } = alone();
  const path = projects.path("s1");
  append({ path, text: `${call("c1", "s1", { uuid: "line-1" })}\n` });
  await tailer.start();
  hear(says("s1", "Stop"));
  await until(() => Promise.resolve(sent.length > 0));
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
  await until(() => {
    clock.advance(300);
    return Promise.resolve(refused.length > 0);
  });
  rmSync(path);
  renameSync(`${path}.moved`, path);
  append({ path, text: `${call("c2", "s1", { uuid: "line-2" })}\n` });
  await until(() => {
    clock.advance(30_000);
    return Promise.resolve(sent.length > 1);
  });
  expect([sent, refused]).toEqual([["line-1", "line-2"], ["TRANSCRIPT_LINK"]]);
  await tailer.stop();
});

test("S2.15, I-49: a call whose line comes after its Pre has its words at its Post, or at the Stop", async () => {
  const engine = await following({ transcripts: [projects.root] });
  const intents = async (): Promise<readonly (string | undefined)[]> =>
    listAt(await engine.get("/v1/sessions/s1/tool-calls"), "items")
      .toSorted((one, other) => (textAt(one, "id") ?? "").localeCompare(textAt(other, "id") ?? ""))
      .map((each) => textAt(at(each, "intent"), "source"));
  const words = (id: string, text: string): void => {
    const content = [
      { type: "text", text },
      { type: "tool_use", id, name: "Bash", input: { command: `echo ${id}` } },
    ];
    const message = { role: "assistant", id: `m-${id}`, content };
    append({ path: projects.path("s1"), text: `${call(id, "s1", { message, promptId: "p-s1" })}\n` });
  };
  await engine.hook(says("s1", "UserPromptSubmit", { prompt: "do it" }));
  for (const id of ["c1", "c2"]) await engine.hook(toolSays(id, "PreToolUse"));
  await engine.applied();
  expect(await intents()).toEqual(["prompt", "prompt"]);
  words("c1", "First the list.");
  await engine.hook(toolSays("c1", "PostToolUse", { tool_response: "done" }));
  await until(async () => (await intents())[0] === "message");
  await engine.hook(toolSays("c2", "PostToolUse", { tool_response: "done" }));
  await engine.applied();
  expect(await intents()).toEqual(["message", "prompt"]);
  words("c2", "Then the rest.");
  await engine.hook(says("s1", "Stop"));
  await until(async () => (await intents())[1] === "message");
  await engine.stop();
});
