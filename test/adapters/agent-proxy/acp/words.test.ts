// Words
// Why an agent of the protocol makes a call, as the engine hears of it.

import { beforeEach, describe, expect, it } from "vitest";
import { noteWords } from "../../../../adapters/agent-proxy/notes.ts";
import { Words } from "../../../../adapters/agent-proxy/acp/conversation.ts";
import type { CallContext } from "../../../../machines/index.ts";
import { played } from "../../../support/agent-proxy/played.ts";
import { Rig, WORKSPACE } from "../../../support/engine/rig.ts";

const { inputsOf, written } = noteWords("acp");
let rig: ReturnType<typeof played>;
const opens = (method: string, sessionId: string): void => {
  rig.client({ id: sessionId, method, params: { cwd: "/w", sessionId } });
  rig.agent({ id: sessionId, result: { sessionId } });
};
const prompts = (sessionId = "s1"): void =>
  rig.client({
    id: "p",
    method: "session/prompt",
    params: { sessionId, prompt: [{ type: "text", text: "Go." }] },
  });
const updates = (update: object, sessionId = "s1"): void =>
  rig.agent({ method: "session/update", params: { sessionId, update } });
const says = (text: string, sessionId = "s1", sessionUpdate = "agent_message_chunk"): void =>
  updates({ sessionUpdate, content: { type: "text", text } }, sessionId);
const calls = (toolCallId: string, more: object = {}, sessionId = "s1"): void =>
  updates({ sessionUpdate: "tool_call", toolCallId, title: "bash", kind: "execute", ...more }, sessionId);
const said = (): readonly unknown[] =>
  rig.notes.flatMap((note) => (note.told === "said" ? [note.text] : note.told === "call" ? [note.call] : []));

beforeEach(() => {
  rig = played();
  opens("session/new", "s1");
  opens("session/new", "s2");
  prompts();
});

describe("what an agent says before a call", () => {
  it("CONVERSATION-3, CONVERSATION-5: is told before it, once, and nobody's else", () => {
    says("I look ");
    says("at the method of s2.", "s2");
    says("Hmm.", "s1", "agent_thought_chunk");
    says('for the tool_call "method".');
    calls("c1");
    calls("c2");
    says("And now the other.");
    calls("c3");
    expect(said()).toEqual([
      'I look for the tool_call "method".',
      "c1-r",
      "c2-r",
      "And now the other.",
      "c3-r",
    ]);
  });

  it("CONVERSATION-5: is forgotten with the next prompt, and not taken from a conversation that is loaded", () => {
    says("Done.");
    prompts();
    calls("c1");
    rig.client({ id: 9, method: "session/load", params: { cwd: "/w", sessionId: "s1" } });
    says("Of before.");
    rig.agent({ id: 9, result: {} });
    calls("c2");
    expect(said()).toEqual(["c1-r", "c2-r"]);
  });

  it("CONVERSATION-4: of a long text the end is kept, and a line that was cut says nothing", () => {
    const line = (text: string): Buffer =>
      Buffer.from(
        `${JSON.stringify({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } })}\n`,
      );
    const words = new Words();
    for (let n = 0; n < 5_000; n++) words.passed(line(`w${n} `));
    const text = words.take("s");
    expect([text.length, text.startsWith("…"), text.endsWith("w4998 w4999")]).toEqual([2_694, true, true]);
    expect(words.take("s")).toBe("");
    words.passed(Buffer.concat([line("x".repeat(100_000)), line("End.")]));
    expect(words.take("s")).toBe("…End.");
    words.passed(line("x".repeat(5_000)));
    expect(words.take("s")).toBe(`…${"x".repeat(4_000)}`);
    words.passed(Buffer.from('{"agent_message_chunk"\n{"params":{"update":["agent_message_chunk"]}}\n'));
    expect(words.take("s")).toBe("");
  });

  it("I-49, PROXY-NOTES-1: is the call's intent; else its description, else a title that tells more than the input", async () => {
    says("I test it.");
    calls("c1", { rawInput: { command: "npm test", description: "Run the tests" } });
    prompts();
    calls("c2", { rawInput: { command: "npm test", description: "Run the tests" } });
    calls("c3", { title: "Look at the shop", rawInput: { command: "ls" } });
    prompts();
    calls("c4", { title: "ls -l", rawInput: { command: "ls -l" } });
    calls("c5", { title: 7, rawInput: { command: "ls", description: ["x"] } });
    const engine = await Rig.start();
    for (const hook of rig.notes.filter(({ session }) => session === "agent-s1")) {
      const message = engine.message("agent-s1", [], {
        type: "acp.hook",
        source: "acp",
        data: { hook: written(hook) },
      });
      await (
        await engine.engine.submit(message)
      ).settled;
    }
    const intents = [...engine.rows(`actor/${WORKSPACE}/agent-s1/call/`).values()]
      .map((text) => (JSON.parse(text) as { readonly context: CallContext }).context)
      .toSorted((one, other) => ((one.toolUseId ?? "") < (other.toolUseId ?? "") ? -1 : 1))
      .map(({ intent }) => [intent?.text, intent?.source]);
    expect(intents).toEqual([
      ["I test it.", "parent"],
      ["Run the tests", "description"],
      ["Look at the shop", "description"],
      ["Go.", "prompt"],
      ["Go.", "prompt"],
    ]);
  });

  it("PROXY-NOTES-1: a note that somebody made up gives no intent of another kind", () => {
    for (const about of [7, "", { text: "x" }, null]) {
      const hook = { acp: "call", session: "s", call: "c", tool: "execute", about };
      expect(inputsOf({ hook })[0]).not.toHaveProperty("intent");
    }
  });
});
