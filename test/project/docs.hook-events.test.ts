// Docs: hook events
// docs/reference/hook-events.md says which events are read. The translator reads those, and the installed hooks send them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { translateHook } from "../../adapters/claude-code/index.ts";
import { installForm } from "../../adapters/claude-code/install.ts";
import { hookKinds } from "../../adapters/install/index.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");
const EVENTS = [...read("docs/reference/hook-events.md").matchAll(/^\| (\w+) +\| (yes|kept|no) +\| /gm)].map(
  ([, name = "", how = ""]) => ({ name, how }),
);
const hook = (name: string, fields: object = {}) =>
  translateHook({ session_id: "s1", prompt_id: "p1", hook_event_name: name, ...fields }).inputs;

/** Whether an event has a meaning: it then says something, or lacks a field that its meaning needs. */
function isRead(name: string): boolean {
  try {
    return hook(name, { agent_id: "a1" }).some(({ type }) => type !== "unknown");
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return true;
  }
}

describe("docs/reference/hook-events.md", () => {
  test("CLAUDE-CODE-HOOK-2: it has the client's 33 events, each once", () => {
    expect(new Set(EVENTS.map(({ name }) => name)).size).toBe(33);
    expect(EVENTS).toHaveLength(33);
  });

  test.each(EVENTS)("CLAUDE-CODE-HOOK-2: $name: it is read as the table says: $how", ({ name, how }) => {
    expect(isRead(name)).toBe(how === "yes");
    if (how !== "yes") expect(hook(name)).toEqual([{ type: "unknown", promptId: "p1", name }]);
  });

  test("Docs: what is installed sends every event that is read or kept, and no other", () => {
    const sent = hookKinds(installForm, "permission").map(([event]) => event);
    const told = EVENTS.flatMap(({ name, how }) => (how === "no" ? [] : [name]));
    expect(sent.toSorted()).toEqual(told.toSorted());
  });

  test("R1, CLAUDE-CODE-HOOK-1: a turn that ends in an API error has failed, with the error; the next prompt changes nothing of that", () => {
    const run = new SessionRun({ policy: { cascade: "interrupt" } });
    const call = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "ls" } };
    const told = [
      ...hook("UserPromptSubmit", { prompt: "go" }),
      ...hook("PreToolUse", call),
      ...hook("PostToolUse", { ...call, tool_response: "a.txt" }),
      ...hook("StopFailure", { error: "overloaded", error_details: "529 Overloaded" }),
    ];
    run.tell(...told, ...hook("UserPromptSubmit", { prompt: "again", prompt_id: "p2" }));
    expect(run.requests.map(({ id, state, context: { error } }) => [id, state, error])).toEqual([
      ["p1", "failed", "529 Overloaded"],
      ["p2", "processing", undefined],
    ]);
    expect(run.ends).toEqual(["t1 completed"]);
  });

  test("C4, CLAUDE-CODE-HOOK-1: a denial by the client's own rules is one, through its hook alone", () => {
    const call = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "ls" } };
    const told = [
      ...hook("PreToolUse", call),
      ...hook("PermissionDenied", { ...call, reason: "not in auto mode" }),
    ];
    expect(new SessionRun().tell(...told).ends).toEqual(["t1 denied hook"]);
  });
});
