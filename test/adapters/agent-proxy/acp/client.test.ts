// Client
// Which program a session runs in, from the agent's greeting to the session's view.

import { describe, expect, it } from "vitest";
import { type Note, noteWords } from "../../../../adapters/agent-proxy/notes.ts";
import { Queries } from "../../../../runtime/reading/queries.ts";
import { played } from "../../../support/agent-proxy/played.ts";
import { Rig } from "../../../support/engine/rig.ts";
import { verified } from "../../../support/engine/verifying.ts";

const { inputsOf, written } = noteWords("acp");

/** What the proxy tells of a session of an agent that greets like this. */
function notesOf(agentInfo: unknown, method = "session/new"): readonly Note[] {
  const { client, agent, notes } = played();
  client({ id: 0, method: "initialize", params: {} });
  agent({ id: 0, result: { protocolVersion: 1, agentInfo } });
  client({ id: 1, method, params: { cwd: "/w", sessionId: "s1", mcpServers: [] } });
  agent({ id: 1, result: { sessionId: "s1" } });
  return notes;
}
const clientOf = (agentInfo: unknown): unknown =>
  notesOf(agentInfo)
    .flatMap((note) => inputsOf({ hook: written(note) }))
    .map((input) => ("client" in input ? input.client : undefined))[0];

async function told(rig: Rig, notes: readonly Note[]): Promise<unknown> {
  for (const hook of notes) {
    const message = rig.message("agent-s1", [], {
      type: "acp.hook",
      source: "acp",
      data: { hook: written(hook) },
    });
    await (
      await rig.engine.submit(message)
    ).settled;
  }
  return new Queries(rig.engine).getSession("agent-s1", {})?.client;
}

describe("the client of a session", () => {
  it("PROXY-SESSIONS-3, PROXY-NOTES-1: is what the agent called itself last, and a replay says the same", async () => {
    const rig = await Rig.start();
    expect(await told(rig, notesOf(undefined))).toBeUndefined();
    expect(await told(rig, notesOf({ name: "OpenCode", version: "1.18.33" }))).toBe("OpenCode 1.18.33");
    // Nothing is forgotten where it is not said again.
    expect(await told(rig, notesOf({}, "session/load"))).toBe("OpenCode 1.18.33");
    const newer = { name: "OpenCode", version: "1.19.0" };
    expect(await told(rig, notesOf(newer, "session/load"))).toBe("OpenCode 1.19.0");
    expect((await verified(rig.disk)).differences).toEqual([]);
  });

  it("PROXY-SESSIONS-3: is short, whatever the agent says, and nothing where it says nothing", () => {
    expect(
      [undefined, null, 7, "x", {}, [], { version: "1" }, { name: 7, version: "1" }].map(clientOf),
    ).toEqual(Array(8).fill(undefined));
    expect(clientOf({ name: "Agent" })).toBe("Agent");
    expect(clientOf({ name: "Agent", version: { toString: 1 } })).toBe("Agent");
    const long = clientOf({ name: "n".repeat(1e6), version: `${"v".repeat(99)}\ud83d\ude00` });
    expect(long).toBe(`${"n".repeat(100)} ${"v".repeat(99)}\ufffd`);
  });

  it("PROXY-NOTES-1: a note that somebody made up adds no other kind of value", () => {
    for (const agent of [7, "x", { name: { a: 1 } }, { name: ["x"], version: 1 }, { name: "", version: "" }])
      expect(inputsOf({ hook: { acp: "session", session: "s", agent } })[0]).not.toHaveProperty("client");
  });
});
