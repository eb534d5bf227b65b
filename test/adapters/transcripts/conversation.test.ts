// Conversation
// What was said around a session's calls, read from its transcript: in order, in pages, and nothing of what may not be read.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Conversation } from "../../../runtime/reading/conversation.ts";
import { type Following, following } from "../../support/sessions/following.ts";
import { append, Projects } from "../../support/sessions/live.ts";
import { call, result } from "../../support/sessions/transcript-lines.ts";

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

const SESSION = "s1";
const hook = async (more: object = {}): Promise<void> => {
  const says = { session_id: SESSION, transcript_path: projects.path(SESSION), cwd: "/home/dev/shop" };
  await engine.hook({
    ...says,
    hook_event_name: "UserPromptSubmit",
    prompt: "do it",
    prompt_id: "p1",
    ...more,
  });
  await engine.applied();
};
const write = (...lines: readonly string[]): void =>
  append({ path: projects.path(SESSION), text: `${lines.join("\n")}\n` });
const asked = (prompt: string, more: object = {}): string =>
  JSON.stringify({ type: "user", sessionId: SESSION, message: { role: "user", content: prompt }, ...more });
const says = (text: string, more: object = {}): string =>
  call("none", SESSION, {
    message: { role: "assistant", id: "m", content: [{ type: "text", text }] },
    ...more,
  });
const read = async (query = ""): Promise<Conversation> =>
  (await engine.get(`/v1/sessions/${SESSION}/conversation${query}`)) as Conversation;
const told = ({ items }: Conversation): readonly string[] =>
  items.map(({ kind, text, callId }) => `${kind} ${text ?? callId ?? ""}`).toReversed();

describe("the conversation of a session", () => {
  test("INTENT-CONVERSATION-2: prompts, texts and calls come in their order; subagents, other sessions and results do not", async () => {
    await hook();
    write(asked("Mend it."), says("First the list."), call("c1", SESSION), result("c1", SESSION));
    write(says("of a subagent", { isSidechain: true, agentId: "a1" }), "not JSON");
    write(says("of another session", { sessionId: "s2" }), says("<b>Done.</b>\u202e"));
    const all = await read();
    expect(all.isKnown).toBe(true);
    expect(told(all)).toEqual([
      "prompt Mend it.",
      "words First the list.",
      "call c1",
      "words <b>Done.</b>\u202e",
    ]);
    expect(all.nextCursor).toBeUndefined();
  });

  test("S2.15: the cost is the newest that the client told of this session, and none where it told none", async () => {
    await hook();
    const costs = (usd: unknown, more: object = {}): string => {
      const model = { inputTokens: 60, outputTokens: 300, cacheReadInputTokens: 40, costUSD: usd };
      const usage = { modelUsage: { large: model, small: { outputTokens: 5, inputTokens: "x" } } };
      return JSON.stringify({ type: "cost-state", sessionId: SESSION, totalCostUSD: usd, ...usage, ...more });
    };
    write(asked("Mend it."), costs("free"), costs(7, { sessionId: "s2" }));
    expect((await read()).cost).toBeUndefined();
    write(costs(0.5), costs(0.75, { hasUnknownModelCost: true }), says('Done, for "cost-state" 3.'));
    const { cost, items } = await read();
    expect(cost).toEqual({ usd: 0.75, tokens: 405, isPart: true });
    // Each report stands where it was made, so that a turn's cost can be told.
    const told = items.map(({ kind, usd }) => [kind, ...(usd === undefined ? [] : [usd])]);
    expect(told).toEqual([["words"], ["cost", 0.75], ["cost", 0.5], ["prompt"]]);
  });

  test("INTENT-ENTRY-1: words and calls tell their model and its context, where the client wrote them as they should be", async () => {
    await hook();
    const message = (usage: unknown, model: unknown = "large"): string =>
      says("Here.", { message: { role: "assistant", id: "m", model, usage, content: "Here." } });
    write(
      message({
        input_tokens: 10,
        cache_read_input_tokens: 4_000,
        cache_creation_input_tokens: 90,
        output_tokens: 7,
      }),
      message({ input_tokens: -1, cache_read_input_tokens: "many" }),
      message("none", 7),
      message({ input_tokens: 5 }, "x".repeat(500)),
    );
    const { items } = await read();
    expect(items.map(({ model, context }) => [model, context]).toReversed()).toEqual([
      ["large", 4_100],
      ["large", undefined],
      [undefined, undefined],
      ["x".repeat(100), 5],
    ]);
  });

  test("INTENT-CONVERSATION-1: pages follow one another without a gap, and a line that is huge is passed over", async () => {
    await hook();
    for (let n = 0; n < 10; n += 1) write(says(`text ${n}`), n === 4 ? says("x".repeat(6_000_000)) : "{}");
    const found: string[] = [];
    let query = "?limit=3";
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await read(query);
      expect(page.items.length).toBeLessThanOrEqual(3);
      found.unshift(...told(page));
      if (page.nextCursor === undefined) break;
      query = `?limit=3&cursor=${page.nextCursor}`;
    }
    expect(found).toEqual(Array.from({ length: 10 }, (_, n) => `words text ${n}`));
  });

  test("TRANSCRIPTS-ROOTS-1: of a file that is gone, or has become a link that leads out, nothing is told", async () => {
    await hook();
    write(says("Here."));
    expect((await read()).isKnown).toBe(true);
    const path = projects.path(SESSION);
    const outside = join(projects.root, "..", `outside-${Date.now()}.jsonl`);
    writeFileSync(outside, `${says("A secret.")}\n`);
    try {
      renameSync(path, `${path}.old`);
      expect(await read()).toEqual({ isKnown: false, items: [] });
      symlinkSync(outside, path);
      expect(await read()).toEqual({ isKnown: false, items: [] });
      rmSync(path);
      mkdirSync(path);
      expect(await read()).toEqual({ isKnown: false, items: [] });
    } finally {
      rmSync(outside);
    }
  });

  test("TRANSCRIPTS-TAILER-1: a path that no local hook named, or outside of the folders, is never read", async () => {
    await hook({ transcript_path: join(dirname(projects.root), "elsewhere.jsonl") });
    write(says("Here."));
    expect(await read()).toEqual({ isKnown: false, items: [] });
    const without = await following({ transcripts: [] });
    try {
      const says = { session_id: SESSION, transcript_path: projects.path(SESSION), prompt: "do it" };
      await without.hook({ ...says, hook_event_name: "UserPromptSubmit", prompt_id: "p1" });
      await without.applied();
      const path = `/v1/sessions/${SESSION}/conversation`;
      expect(await without.get(path)).toEqual({ isKnown: false, items: [] });
    } finally {
      await without.stop();
    }
  });

  test("PARAMETERS-1: what is asked wrongly is refused, and an unknown session is not found", async () => {
    await hook();
    const code = async (path: string): Promise<unknown> =>
      Reflect.get(Object(Reflect.get(Object(await engine.get(path)), "error")), "code");
    expect(await code("/v1/sessions/never/conversation")).toBe("NOT_FOUND");
    expect(await code("/v1/sessions/s1/conversation?limit=501")).toBe("BAD_LIMIT");
    expect(await code("/v1/sessions/s1/conversation?cursor=../x")).toBe("BAD_PARAMETER");
    expect(await code("/v1/sessions/s1/conversation?path=/etc/passwd")).toBe("BAD_PARAMETER");
  });
});
