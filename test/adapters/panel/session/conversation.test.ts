// Panel: the conversation
// What was said around the calls, where a transcript is known: in order, as text, and as far back as somebody asks.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type SignalboxEngine } from "../../../../adapters/index.ts";
import { findingsOn, withAxe } from "../../../support/panel/axe.ts";
import { windowsForAll } from "../../../support/panel/for-tests.ts";
import { append, Projects } from "../../../support/sessions/live.ts";
import { call, result } from "../../../support/sessions/transcript-lines.ts";

const windows = windowsForAll();
const HOSTILE = `<img src=x onerror="pwned('said')"> and\u202e hidden`;
const LATER = Array.from({ length: 320 }, (_, n) => `A thought, number ${n}.`);

const TOKEN = "the-token-of-this-program";

describe("the panel: the conversation", () => {
  const projects = new Projects();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-panel-")));
  let engine: SignalboxEngine;
  let workspace: string;
  const at = () => ({ url: engine.url ?? "", token: TOKEN });
  const path = (session: string): string => projects.path(session);
  const hook = async (session: string, name: string, more: object = {}): Promise<void> => {
    const { url, token } = at();
    const says = { session_id: session, transcript_path: path(session), cwd: "/home/you/shop", ...more };
    const body = JSON.stringify({ ...says, hook_event_name: name, prompt_id: `p-${session}` });
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const answer = await fetch(`${url}/v1/hooks/claude-code`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  };
  const tool = (id: string) => ({
    tool_name: "Bash",
    tool_input: { command: `echo ${id}` },
    tool_use_id: id,
  });
  const says = (session: string, text: string): string => {
    const told = { model: "large", usage: { input_tokens: 1_000, cache_read_input_tokens: 40_000 } };
    const message = { role: "assistant", id: `m-${text}`, content: [{ type: "text", text }], ...told };
    return call("none", session, { message });
  };
  const write = (session: string, ...lines: readonly string[]): void =>
    append({ path: path(session), text: `${lines.join("\n")}\n` });
  const asked = (session: string, prompt: string): string =>
    JSON.stringify({
      type: "user",
      sessionId: session,
      message: { role: "user", content: prompt },
      promptId: `p-${session}`,
    });

  beforeAll(async () => {
    engine = await createEngine({ dataDir: dir, port: 0, token: TOKEN, transcripts: [projects.root] });
    const prompt = `Mend the cart's total.\n\n${"It is off by a cent. ".repeat(20)}`;
    await hook("s1", "UserPromptSubmit", { prompt });
    write("s1", asked("s1", prompt), says("s1", "First I look at the tests."), call("c1", "s1"));
    await hook("s1", "PreToolUse", tool("c1"));
    await hook("s1", "PostToolUse", { ...tool("c1"), tool_response: "2 failed" });
    write("s1", result("c1", "s1"), says("s1", HOSTILE), call("c2", "s1"));
    await hook("s1", "PreToolUse", tool("c2"));
    await hook("s1", "PostToolUse", { ...tool("c2"), tool_response: "ok" });
    write("s1", result("c2", "s1"), says("s1", "The total is right now: it was rounded twice."));
    const usage = { modelUsage: { large: { inputTokens: 1_000, outputTokens: 234 } } };
    write("s1", JSON.stringify({ type: "cost-state", sessionId: "s1", totalCostUSD: 0.0123, ...usage }));
    await hook("s1", "Stop");
    await hook("s2", "UserPromptSubmit", { prompt: "Think" });
    write("s2", asked("s2", "Think"), says("s2", "The very first."), call("d1", "s2"));
    await hook("s2", "PreToolUse", tool("d1"));
    write("s2", result("d1", "s2"), ...LATER.map((text) => says("s2", text)));
    workspace = engine.queries.getSession("s1")?.workspace ?? "";
  });
  afterAll(async () => {
    await engine.stop();
    rmSync(dir, { recursive: true, force: true });
    projects.clear();
  });

  it("Panel, TALK-1, TURNS-1: prompt, texts and answer stand in order around the calls, and hostile text is text", async () => {
    const page = await windows.openAt(at(), `#/session/${workspace}/s1`, ".said.after");
    expect(await page.locator(".request .said, .request .call .input").allInnerTexts()).toEqual([
      "The whole prompt",
      expect.stringContaining("First I look at the tests."),
      "echo c1",
      expect.stringMatching(/<img src=x onerror="pwned\('said'\)"> and<U\+202E> hidden$/),
      "echo c2",
      "The total is right now: it was rounded twice.",
    ]);
    expect(await page.locator(".session-head .cost").innerText()).toMatch(/\$0\.0123 so far, 1,234 tokens$/);
    expect(await page.locator(".turn").innerText()).toBe(
      "2 calls · 3 texts · large · context of 41,000 tokens · $0.0123",
    );
    expect(await page.locator(".said img").count()).toBe(0);
    expect(await page.locator(".said .hidden-character").count()).toBe(1);
    // Said above the call, it is not said again in its row.
    expect(await page.locator(".call .why").count()).toBe(0);
    await page.getByText("The whole prompt").click();
    expect(await page.locator(".whole-prompt p").innerText()).toMatch(/off by a cent\.\s*$/);
  });

  it("Panel: what was said earlier is read when somebody asks for it; axe finds nothing", async () => {
    const page = await windows.open(at());
    await withAxe(page);
    await page.goto(`/#/session/${workspace}/s2`);
    await page.reload();
    await page.locator(".call").waitFor();
    const first = page.locator(".said", { hasText: "The very first." });
    expect(await first.count()).toBe(0);
    const more = page.getByRole("button", { name: "Show what was said earlier" });
    await more.click();
    await first.waitFor();
    await more.waitFor({ state: "detached" });
    await page.goto(`/#/session/${workspace}/s1`);
    await page.locator(".said.after").waitFor();
    expect(await findingsOn(page)).toEqual([]);
  });

  it("Panel: while something is sought only the calls are shown, and a transcript that is gone leaves them as they are", async () => {
    const page = await windows.openAt(at(), `#/session/${workspace}/s1`, ".said.after");
    await page.getByRole("searchbox").fill("echo c2");
    await page.locator(".said.after").waitFor({ state: "detached" });
    expect(await page.locator(".call").count()).toBe(1);
    rmSync(path("s1"));
    await page.reload();
    await page.getByRole("searchbox").fill("");
    await expect.poll(() => page.locator(".call").count()).toBe(2);
    expect(await page.locator(".said:not(.whole-prompt)").count()).toBe(0);
  });
});
