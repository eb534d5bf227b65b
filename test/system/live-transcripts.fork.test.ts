// Live transcripts of forks
// A fork as an engine meets it: its transcript begins with its parent's lines, and is read while its question waits.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Following, following } from "../support/sessions/following.ts";
import { append, Projects } from "../support/sessions/live.ts";
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

const SESSION = "fork";
const INPUT = { command: "make" };

const line = (says: object): string =>
  JSON.stringify({ sessionId: SESSION, timestamp: "2026-11-01T10:00:00.000Z", ...says });
const said = (role: "user" | "assistant", content: unknown, more: object = {}): string =>
  line({ type: role, message: { role, id: "m-old", content }, ...more });

/** What the client copies: the parent's lines with the fork's session and prompt. */
const COPY = [
  said("user", "before", { promptId: "p-now", uuid: "u1" }),
  said("assistant", [{ type: "tool_use", id: "toolu_old", name: "Bash", input: INPUT }], { uuid: "u2" }),
  said("user", [{ type: "tool_result", tool_use_id: "toolu_old", content: "No.", is_error: true }], {
    promptId: "p-now",
    uuid: "u3",
    toolDenialKind: "user-rejected",
  }),
  line({ type: "system", subtype: "stop_hook_summary", uuid: "u4" }),
];

const hook = (event: string, more: object = {}): Promise<number> =>
  engine.hook({
    session_id: SESSION,
    transcript_path: projects.path(SESSION),
    prompt_id: "p-now",
    hook_event_name: event,
    ...more,
  });

describe("PAST-1: a fork's question", () => {
  const asked = { tool_name: "Bash", tool_input: INPUT };

  test.each([0, 1, 2, 3, 4])(
    "PAST-1: about its parent's command waits on, where %i lines were read before it",
    async (before) => {
      await hook("SessionStart", { source: "fork" });
      await hook("UserPromptSubmit", { prompt: "go on" });
      for (const text of COPY.slice(0, before)) append({ path: projects.path(SESSION), text: `${text}\n` });
      await engine.untilRead(before);
      await hook("PermissionRequest", asked);
      for (const text of COPY.slice(before)) append({ path: projects.path(SESSION), text: `${text}\n` });
      await engine.untilRead(COPY.length);
      await hook("PreToolUse", { ...asked, tool_use_id: "toolu_now" });
      await engine.applied();
      const [approval] = listAt(await engine.get("/v1/approvals?state=pending"), "items");
      expect([textAt(approval, "state"), textAt(approval, "callId")]).toEqual(["pending", "toolu_now"]);
    },
  );
});
