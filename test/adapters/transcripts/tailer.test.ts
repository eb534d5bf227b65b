// Tailer
// Transcripts as hooks name them, good and bad: what the engine takes of them, what it tells, whom they touch.

import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAt, textAt } from "../../support/engine/json.ts";
import { type Following, following, until } from "../../support/sessions/following.ts";
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

const CWD = "/home/dev/shop";
const hook = (session: string, says: object = {}): Promise<number> =>
  engine.hook({
    session_id: session,
    transcript_path: projects.path(session),
    cwd: CWD,
    hook_event_name: "UserPromptSubmit",
    prompt_id: `p-${session}`,
    prompt: "do it",
    ...says,
  });
const write = (session: string, ...lines: readonly (string | Buffer)[]): void => {
  for (const line of lines)
    append({ path: projects.path(session), text: Buffer.isBuffer(line) ? line : `${line}\n` });
};
const ends = async (session: string): Promise<unknown> => {
  const calls = listAt(await engine.get(`/v1/sessions/${session}/tool-calls`), "items");
  return Object.fromEntries(calls.map((each) => [textAt(each, "id") ?? "", textAt(each, "execution")]));
};
const count = async (name: string): Promise<number | undefined> => (await engine.counts()).get(name);
const lines = (what: string) => count(`lines_total{what="${what}"}`);
const files = (what: string) => count(`files_total{what="${what}"}`);
const troubles = async (): Promise<readonly (string | undefined)[]> =>
  [...(await engine.counts()).keys()].flatMap((name) => /trouble\{code="(.*)"/.exec(name)?.[1] ?? []);

describe("bad lines", () => {
  test("TRANSCRIPTS-SENDING-3, DOOR-REFUSALS-3: what cannot be read is a dead letter with its place, and the lines around it are taken", async () => {
    await hook("s1");
    const deep = (levels: number): string =>
      `{"type":"user","sessionId":"s1","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    write(
      "s1",
      call("c1", "s1"),
      '{"type":"assistant","uuid":"cut',
      deep(100),
      deep(66),
      `{"type":"user","sessionId":"s1","__proto__":{"polluted":1},"message":{"content":"x"}}`,
      '{"no":"type","sessionId":"s1"}',
      '["a list"]',
      '{"type":"assistant","sessionId":"s1","message":{"content":5}}',
      Buffer.concat([Buffer.from('{"type":"user","x":"'), Buffer.from([0xff, 0xfe, 0x0a])]),
      "\0\0\0",
      "",
      "   ",
      `${result("c1", "s1")}\r`,
    );
    await until(async () => (await lines("taken")) === 2 && (await lines("refused")) === 10);
    await engine.applied();
    expect(await ends("s1")).toEqual({ c1: "completed" });
    expect([...(await engine.letters())].sort()).toEqual([
      "FORBIDDEN_KEY",
      "NOT_JSON",
      "NOT_JSON",
      "NOT_JSON",
      "NOT_JSON",
      "TOO_DEEP",
      "TOO_DEEP",
      ...Array.from({ length: 3 }, () => "WRONG_SHAPE"),
    ]);
    const letters = listAt(await engine.get("/v1/dead-letters"), "items");
    const refused = letters.filter((each) => textAt(each, "reason")?.includes("The line at byte"));
    expect(refused.map((each) => textAt(each, "session")?.split("/")[1])).toEqual(Array(7).fill("s1"));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("TRANSCRIPTS-SENDING-3: a whole line right behind a half one is taken, of its own session only, and the half one is told", async () => {
    await hook("s1");
    const half = call("c9", "s1").slice(0, -40);
    write("s1", call("c1", "s1"), half + result("c1", "s1"), half + call("c2", "s2"), `${half}{"x":1}`);
    await until(async () => (await lines("taken")) === 2 && (await lines("refused")) === 3);
    await engine.applied();
    expect(await ends("s1")).toEqual({ c1: "completed" });
    expect(await engine.letters()).toEqual(["NOT_JSON", "NOT_JSON", "NOT_JSON"]);
  });

  test("TRANSCRIPTS-SENDING-1, CLAUDE-CODE-TRANSCRIPT-FILES-1: doubled lines, and lines of other versions, change nothing; those set aside are counted", async () => {
    await hook("s1");
    const [begun, ended] = [call("c1", "s1"), result("c1", "s1")];
    write("s1", begun, begun, '{"type":"of a later version","sessionId":"s1","x":1}', ended, ended, begun);
    write("s1", '{"type":"api-request-blob","x":1}', '{"type":"summary","summary":"no session"}');
    await engine.untilRead(8);
    await engine.applied();
    expect(await ends("s1")).toEqual({ c1: "completed" });
    expect([await lines("taken"), await lines("repeated"), await lines("aside")]).toEqual([4, 3, 1]);
    expect(await engine.letters()).toEqual([]);
  });

  test("TRANSCRIPTS-SENDING-2: lines that name another session are told of once, and touch neither", async () => {
    await hook("s1");
    await hook("s2");
    write("s2", call("c2", "s2"));
    write("s1", call("c1", "s1"), call("c2", "s2"), result("c2", "s2"), result("c1", "s1"));
    await engine.untilRead(5);
    await engine.applied();
    expect([await ends("s1"), await ends("s2")]).toEqual([{ c1: "completed" }, { c2: "queued" }]);
    expect([await lines("foreign"), await engine.letters()]).toEqual([2, ["TRANSCRIPT_FOREIGN"]]);
  });

  test("TRANSCRIPTS-SENDING-2: a hook that names another session's transcript learns nothing of it", async () => {
    write("s1", call("c1", "s1"), result("c1", "s1"));
    await hook("thief", { transcript_path: projects.path("s1") });
    await until(async () => (await lines("foreign")) === 2);
    expect([await ends("thief"), await engine.letters()]).toEqual([{}, ["TRANSCRIPT_FOREIGN"]]);
  });

  test("TRANSCRIPTS-LINES-2: a line of 110 KB is taken, one of 9 MB is a dead letter", async () => {
    await hook("s1");
    const content = [{ type: "tool_result", tool_use_id: "c1", content: "x".repeat(110 * 1024) }];
    write("s1", call("c1", "s1"), `{"type":"user","sessionId":"s1","x":"${"y".repeat(9_000_000)}"}`);
    write("s1", result("c1", "s1", { message: { role: "user", content } }));
    await engine.untilRead(3);
    await engine.applied();
    expect([await ends("s1"), await engine.letters()]).toEqual([{ c1: "completed" }, ["TOO_LARGE"]]);
  });

  test("TRANSCRIPTS-SENDING-1: a fork's copy of its history is its own: the same calls in two sessions are two", async () => {
    await hook("s1");
    const history = (session: string): readonly string[] => [
      call("c1", session, { uuid: "same" }),
      result("c1", session, { uuid: "same too", toolDenialKind: "permission-rule" }),
    ];
    write("s1", ...history("s1"));
    await hook("s2", { hook_event_name: "SessionStart", source: "fork" });
    write("s2", ...history("s2"), call("c2", "s2"), result("c2", "s2"));
    await engine.untilRead(6);
    await engine.applied();
    expect([await ends("s1"), await ends("s2")]).toEqual([
      { c1: "denied" },
      { c1: "denied", c2: "completed" },
    ]);
  });
});

describe("bad paths", () => {
  test("TRANSCRIPTS-TAILER-3, TRANSCRIPTS-REFUSED-1: links, folders, pipes and paths outside are told of once each, and the hooks are taken", async () => {
    const outside = new Projects();
    write("s0", call("c0", "s0"));
    renameSync(projects.path("s0"), outside.path("s0"));
    symlinkSync(outside.path("s0"), projects.path("link"));
    symlinkSync(join(outside.root, "shop"), join(projects.root, "out"));
    mkdirSync(projects.path("folder"));
    execFileSync("mkfifo", [projects.path("pipe")]);
    for (const session of ["link", "folder", "pipe"])
      for (const _ of [1, 2, 3]) expect(await hook(session)).toBe(200);
    for (const path of [
      outside.path("s0"),
      join(projects.root, "out", "s0.jsonl"),
      "/etc/passwd",
      "x",
      7,
      {},
    ])
      expect(await hook("s0", { transcript_path: path })).toBe(200);
    await until(async () => (await files("refused")) === 7);
    await engine.applied();
    expect(await lines("taken")).toBe(0);
    expect([...(await engine.letters())].sort()).toEqual([
      "TRANSCRIPT_BAD_PATH",
      "TRANSCRIPT_BAD_PATH",
      "TRANSCRIPT_LINK",
      "TRANSCRIPT_NOT_A_FILE",
      "TRANSCRIPT_NOT_A_FILE",
      "TRANSCRIPT_OUTSIDE",
      "TRANSCRIPT_OUTSIDE",
    ]);
    expect(await troubles()).toEqual(["TRANSCRIPTS_REFUSED"]);
    const sessions = listAt(await engine.get("/v1/sessions"), "items").map((session) =>
      textAt(session, "id"),
    );
    expect(sessions.sort()).toEqual(["folder", "link", "pipe", "s0"]);
    outside.clear();
  });

  test("TRANSCRIPTS-ROOTS-1: the folder of subagents is not read where it leads out", async () => {
    const outside = new Projects();
    mkdirSync(join(outside.root, "subagents"));
    writeFileSync(
      join(outside.root, "subagents", "agent-a1.jsonl"),
      `${call("c1", "s1", { agentId: "a1" })}\n`,
    );
    write("s1", call("c0", "s1"));
    symlinkSync(outside.root, join(projects.root, "shop", "s1"));
    await hook("s1", { agent_id: "a1", agent_type: "x", hook_event_name: "SubagentStart" });
    await engine.untilRead(1);
    await until(async () => (await files("refused")) === 2);
    expect([await ends("s1"), await engine.letters()]).toEqual([
      { c0: "queued" },
      ["TRANSCRIPT_OUTSIDE", "TRANSCRIPT_OUTSIDE"],
    ]);
    outside.clear();
  });

  test("TRANSCRIPTS-TAILER-1: a file that is gone, or not there yet, is waited for", async () => {
    await hook("s1");
    write("s1", call("c1", "s1"));
    await engine.untilRead(1);
    rmSync(projects.path("s1"));
    await hook("s1");
    write("s1", result("c1", "s1"));
    await engine.untilRead(2);
    await engine.applied();
    expect([await ends("s1"), await troubles()]).toEqual([{ c1: "completed" }, []]);
  });

  test("TRANSCRIPTS-WATCH-LIST-1: more files than one session may have are counted and told, and the first ones are followed", async () => {
    await hook("s1");
    const agents = Array.from({ length: 80 }, (_, i) => `a${i}`);
    const folder = join(projects.root, "shop", "s1", "subagents");
    for (const agent of agents)
      append({
        path: join(folder, `agent-${agent}.jsonl`),
        text: `${call(`c-${agent}`, "s1", { agentId: agent })}\n`,
      });
    write("s1", call("c1", "s1"));
    await until(async () => (await count("signalbox_transcripts")) === 64);
    await engine.untilRead(64);
    expect(await files("crowded")).toBeGreaterThan(0);
    expect(await troubles()).toEqual(["TRANSCRIPTS_CROWDED"]);
  });
});

describe("who may name a file, and where", () => {
  test("TRANSCRIPTS-TAILER-1: a hook sent with another person's token names no file", async () => {
    write("s1", call("c1", "s1"));
    const payload = {
      session_id: "s1",
      transcript_path: projects.path("s1"),
      hook_event_name: "Stop",
      cwd: CWD,
    };
    const body = Buffer.from(JSON.stringify(payload));
    await engine.door.hook(body, {}, { door: "http:/v1/hooks/claude-code", by: "http:kim" });
    await hook("s2");
    write("s2", call("c2", "s2"));
    await engine.untilRead(1);
    expect([await ends("s1"), await ends("s2")]).toEqual([{}, { c2: "queued" }]);
  });

  test("TRANSCRIPTS-TAILER-1: a hook that comes as an event names no file: it may be a recording", async () => {
    write("s1", call("c1", "s1"));
    const data = {
      session_id: "s1",
      transcript_path: projects.path("s1"),
      hook_event_name: "Stop",
      cwd: CWD,
    };
    const event = {
      specversion: "1.0",
      id: "1",
      source: "x",
      type: "claude-code.hook",
      subject: "shop/s1",
      data,
    };
    await engine.door.events(Buffer.from(JSON.stringify(event)), { door: "library", by: "local:me" });
    expect(await count("signalbox_transcripts")).toBe(0);
  });

  test("TRANSCRIPTS-TAILER-1: with no folder to read from, nothing is read", async () => {
    await engine.stop();
    engine = await following({});
    write("s1", call("c1", "s1"));
    expect(await hook("s1")).toBe(200);
    await engine.applied();
    expect([await ends("s1"), await count("signalbox_transcripts")]).toEqual([{}, undefined]);
  });

  test("TRANSCRIPTS-ROOTS-1: a folder that cannot be one is refused at the start", async () => {
    for (const bad of ["projects", "/"])
      await expect(following({ transcripts: [bad] })).rejects.toMatchObject({
        code: "BAD_TRANSCRIPTS_FOLDER",
      });
  });
});
