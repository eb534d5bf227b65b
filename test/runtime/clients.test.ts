// Clients
// A second client needs a profile and its place in the list, and nothing else.

import { afterEach, describe, expect, it } from "vitest";
import { claudeCode } from "../../adapters/claude-code/index.ts";
import { askAboutCall, Line, waitForAnswer, type Where } from "../../adapters/gate/index.ts";
import { withToken } from "../../adapters/line/index.ts";
import { clients as ours } from "../../adapters/composition/clients.ts";
import type { CascadePolicy } from "../../machines/index.ts";
import { Clients } from "../../runtime/clients.ts";
import { completed, policyFor } from "../../runtime/config.ts";
import { readMessage } from "../../runtime/message.ts";
import { tiny } from "../support/clients/tiny.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import { serve, type Served, TOKEN } from "../support/http/served.ts";
import { verified } from "../support/engine/verifying.ts";
import { MemoryDisk } from "../../adapters/memory/index.ts";
import { translator } from "../../runtime/door/translate.ts";

const clients = new Clients([claudeCode, tiny]);

let served: Served | undefined;
afterEach(() => served?.stop());

/** The states of two calls of one message, once the first was denied. */
async function denied(cascade?: CascadePolicy) {
  const configuration = completed(
    cascade === undefined ? {} : { cascade: { default: "strict", tiny: cascade } },
    clients.defaults,
  );
  const disk = new MemoryDisk("tiny");
  const line = (served = await serve({ clients, configuration, disk }));
  for (const hook of [
    { what: "plan", run: "s1", call: "c1" },
    { what: "plan", run: "s1", call: "c2" },
    { what: "deny", run: "s1", call: "c1" },
  ]) {
    const answered = await line.post("/v1/hooks/tiny", hook);
    expect([answered.status, answered.body]).toEqual([200, {}]);
  }
  while (line.engine.meta().position < line.journal.tail())
    await new Promise((resolve) => setTimeout(resolve, 1));
  const session = listAt((await line.get("/v1/sessions")).body, "items")[0];
  const calls = listAt((await line.get("/v1/sessions/s1/tool-calls")).body, "items");
  return { disk, session, states: calls.map((call) => at(call, "execution")).toReversed() };
}

/** The id of the one approval that waits, once there is one. */
async function pending(line: Served): Promise<string> {
  for (;;) {
    const [found] = listAt((await line.get("/v1/approvals?state=pending")).body, "items");
    if (found !== undefined) return textAt(found, "id") ?? "";
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("CLIENTS-1: a second client", () => {
  it("CLIENTS-1: its bare hook is journalled under its own type and source, and is of its kind", async () => {
    const { disk, session } = await denied();
    const messages = disk.entries.map(({ body }) => readMessage(body)).filter(({ door }) => door === "in");
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatchObject({
      type: "tiny.hook",
      source: "tiny",
      session: "s1",
      data: { hook: { what: "plan", run: "s1", call: "c1" } },
    });
    expect(session).toMatchObject({ id: "s1", source: "tiny" });
  });

  it("CLIENTS-1: its own cascade counts, unless the operator says otherwise", async () => {
    expect((await denied()).states).toEqual(["denied", "queued"]);
    await served?.stop();
    expect((await denied("strict")).states).toEqual(["denied", "denied"]);
    expect(policyFor(clients.defaults, "tiny").cascade).toBe("none");
    expect(policyFor(clients.defaults, "claude-code").cascade).toBe("interrupt");
  });

  it("CLIENTS-1: a replay that knows it comes to the same", async () => {
    const { disk } = await denied();
    const known = { clients, translate: translator(clients) };
    expect((await verified(disk, known)).differences).toEqual([]);
    const without = { clients: ours, translate: translator(ours) };
    expect((await verified(disk, without)).differences).not.toEqual([]);
  });

  it("CLIENTS-1: its hook that waits is asked about and answered in its own words, and so is a call of another door of it", async () => {
    const line = (served = await serve({ clients }));
    const where: Where = () => Promise.resolve(withToken(line.url, TOKEN));
    const body = Buffer.from(JSON.stringify({ what: "may", run: "s1", call: "c1" }));
    const { inputHash, printed } = tiny.gate.read(body);
    const more = { client: "tiny" };
    const waiting = waitForAnswer({
      engine: new Line(where, { id: "g1", body, workspace: undefined, onDeadline: "deny", more }),
      inputHash,
      closed: "deny",
      deadline: performance.now() + 60_000,
      now: () => performance.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    expect(await pending(line)).toBe("g1");
    await line.post("/v1/approvals/g1/decision", { decision: "approve", inputHash });
    expect(printed((await waiting).verdict)).toBe("go");
    expect((await line.get("/v1/approvals/g1")).body).toMatchObject({ tool: "Make", sessionId: "s1" });
    const tell = () => undefined;
    const from = { form: tiny.gate, client: "tiny", run: "s1", timeoutMs: 60_000 };
    const asked = askAboutCall(
      { via: "sdk", where, tell, ...from },
      { tool: "Make", input: { target: "all" }, toolUseId: "c2", session: "s1" },
    );
    const second = await pending(line);
    await line.post(`/v1/approvals/${second}/decision`, { decision: "deny", message: "no" });
    expect(await asked).toEqual({ type: "deny", message: "no", interrupt: false });
  });

  it("CLIENTS-1: without its profile its types and its route are unknown", async () => {
    served = await serve();
    expect((await served.post("/v1/hooks/tiny", { what: "plan", run: "s1" })).status).toBe(404);
    expect(ours.rawTypes.has("tiny.hook")).toBe(false);
  });
});

it("CLIENTS-2: the first of the list is meant where nobody names one, and none by a strange name", () => {
  expect([clients.named()?.name, clients.named("tiny")?.name]).toEqual(["claude-code", "tiny"]);
  expect([clients.named("toString"), new Clients([]).named()]).toEqual([undefined, undefined]);
});

describe("CLIENTS-3: what is not held", () => {
  it("CLIENTS-3: is told of each agent by the name of its sessions' source, and of no other", async () => {
    const line = (served = await serve({ clients: ours }));
    const { status, body } = await line.get("/v1/agents");
    expect(status).toBe(200);
    const agents = listAt(body, "agents");
    expect(agents.map((each) => at(each, "source"))).toEqual(["codex-cli", "copilot-cli", "opencode-cli"]);
    for (const each of agents)
      expect(listAt(each, "open")).toEqual([expect.stringContaining(" without asking ")]);
    expect((await line.get("/v1/agents?of=codex")).status).toBe(400);
  });
});
