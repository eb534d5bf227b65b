// HTTP: partition
// Whatever would begin something in a workspace of another partition is refused before the journal, and told where to go.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partitionOf } from "../../../../runtime/cluster/partition.ts";
import { DEFAULT_CONFIGURATION } from "../../../../runtime/config.ts";
import { at, listAt, textAt } from "../../../support/engine/json.ts";
import { event, serve, type Served } from "../../../support/http/served.ts";

const OF = 4;
const HOME = partitionOf("shop", OF);
const foreign = ["web", "chat", "docs", "blog"].find((name) => partitionOf(name, OF) !== HOME) ?? "";

let served: Served;
beforeAll(async () => {
  served = await serve({
    configuration: { ...DEFAULT_CONFIGURATION, partition: { number: HOME, of: OF } },
  });
});
afterAll(() => served.stop());

const started = (workspace: string, id: string) => ({
  ...event("session.started", {}, { subject: `${workspace}/s1` }),
  id,
});
const rule = (workspace: string) => ({
  workspace,
  effect: "deny",
  tool: "Bash",
  match: { kind: "prefix", text: "rm " },
});
const entriesFor = (workspace: string): number =>
  served.disk.entries.filter(
    ({ body }) => (JSON.parse(body) as { workspace: string }).workspace === workspace,
  ).length;

describe("HTTP: partition", () => {
  it("DOOR-9: events, hooks, gates, approvals of services, rules and files of rules of another partition get 421, which names it", async () => {
    const hook = { session_id: "c1", hook_event_name: "SessionStart", cwd: "/x", source: "startup" };
    const tool = { ...hook, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
    const asked = { workspace: foreign, session: "s1", approvalId: "a1", tool: "deploy", input: {} };
    const named = { "Signalbox-Workspace": foreign };
    const gate = "/v1/gate?approval=g1&wait=60000&closed=deny";
    for (const [path, body, headers] of [
      ["/v1/events", started(foreign, "e1"), {}],
      ["/v1/events", [started(foreign, "e2")], {}],
      ["/v1/hooks/claude-code", hook, named],
      [gate, { ...tool, tool_use_id: "t1" }, named],
      ["/v1/approvals", asked, {}],
      ["/v1/rules", rule(foreign), {}],
      ["/v1/rules/file", { workspace: foreign, scope: "owner", rules: [] }, {}],
    ] as const) {
      const { status, body: told } = await served.post(path, body, headers);
      expect([path, status, textAt(told, "error", "code")]).toEqual([path, 421, "OTHER_PARTITION"]);
      expect(textAt(told, "error", "next")).toContain(`partition ${partitionOf(foreign, OF)}`);
    }
    expect(entriesFor(foreign)).toBe(0);
    expect((await served.get(`/v1/sessions?workspace=${foreign}`)).body).toEqual({ items: [] });
  });

  it("DOOR-9: of a list the events of its own partition are applied, and the others refused", async () => {
    const { status, body } = await served.post("/v1/events", [started("shop", "l1"), started(foreign, "l2")]);
    expect(status).toBe(207);
    expect(listAt(body, "results").map((each) => at(each, "outcome"))).toEqual(["applied", "refused"]);
    expect(textAt(body, "error", "code")).toBe("OTHER_PARTITION");
  });

  it("DOOR-9: in its own workspaces everything is as before", async () => {
    expect((await served.post("/v1/events", started("shop", "o1"))).status).toBe(200);
    expect((await served.post("/v1/rules", rule("shop"))).status).toBe(200);
    const letters = listAt((await served.get("/v1/dead-letters")).body, "items");
    expect(new Set(letters.map((each) => at(each, "code")))).toEqual(new Set(["OTHER_PARTITION"]));
  });
});
