// Secrets
// Fifty secrets go through every door, with the log at its most verbose: none is printed.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { build, Desk } from "../../support/processes/program.ts";
import { event } from "../../support/http/served.ts";
import { personAt } from "../../support/http/person.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

it("LOG-1, G42: nothing that is sent, asked, answered or refused stands in a log line, however much is logged", async () => {
  const canaries: string[] = [];
  const canary = (): string => {
    const made = `canary${randomBytes(12).toString("hex")}`;
    canaries.push(made);
    return made;
  };
  const notify = ["--notify-cmd", `: ${canary()}; exit 3`];
  const engine = desk.start(["up", "--nats", "off", "--port", "0", ...notify], {
    env: { SIGNALBOX_LOG: "trace", SECRET: canary() },
  });
  const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
  const headers = await personAt(join(desk.dir, "data"), url);
  const lineKey = readFileSync(join(desk.dir, "data", "line-key"), "utf8").trim();
  const send = async (method: string, path: string, body?: unknown, more: object = {}) =>
    (
      await fetch(url + path, {
        method,
        headers: { ...headers, "Content-Type": "application/json", ...more },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })
    ).status;
  const taken = async (...events: object[]) => expect(await send("POST", "/v1/events", events)).toBe(200);

  const input = { command: canary(), env: { [canary()]: canary() } };
  await taken(
    event("session.started", { title: canary(), cwd: `/${canary()}`, branch: canary() }),
    event("request.created", { requestId: "r1", prompt: canary() }),
    event("tool.started", { toolUseId: "t1", requestId: "r1", tool: canary(), input }),
    event("tool.finished", { toolUseId: "t1", requestId: "r1", tool: "Bash", output: canary() }),
    event("tool.failed", { toolUseId: "t2", requestId: "r1", tool: "Bash", error: canary() }),
    event("approval.requested", { approvalId: "q1", requestId: "r1", tool: "Bash", input: { a: canary() } }),
    event("approval.requested", { approvalId: "q2", requestId: "r1", tool: "Bash", input: { b: canary() } }),
  );
  const hook = (more: object) =>
    send("POST", "/v1/hooks/claude-code", {
      session_id: "s",
      prompt_id: "p",
      cwd: `/${canary()}`,
      transcript_path: `/${canary()}`,
      ...more,
    });
  expect(await hook({ hook_event_name: "UserPromptSubmit", prompt: canary() })).toBe(200);
  const call = {
    tool_name: "Write",
    tool_use_id: "w",
    tool_input: { content: `${canary()}${"x".repeat(600_000)}` },
  };
  expect(await hook({ hook_event_name: "PreToolUse", ...call })).toBe(200);
  expect(await hook({ hook_event_name: "PostToolUse", ...call, tool_response: canary() })).toBe(200);
  expect(await hook({ hook_event_name: canary() })).toBe(200);

  expect(await send("POST", "/v1/approvals/q1/decision", { decision: "deny", message: canary() })).toBe(200);
  const refused: readonly (readonly [method: string, path: string, body?: unknown, headers?: object])[] = [
    ["POST", "/v1/approvals/q2/decision", { decision: "approve", inputHash: canary() }],
    ["POST", `/v1/approvals/${canary()}/decision`, { decision: "deny" }],
    ["POST", "/v1/events", event(canary(), {})],
    [
      "POST",
      "/v1/events",
      event("request.created", { requestId: "r", [canary()]: 1 }, { subject: canary() }),
    ],
    ["POST", "/v1/events", `{"${canary()}"`],
    ["POST", "/v1/events", event("request.created", { requestId: 1, prompt: canary() })],
    ["POST", `/v1/${canary()}`, {}],
    ["GET", `/v1/tool-calls/${canary()}`],
    ["GET", `/v1/requests?state=${canary()}`],
    ["GET", `/v1/requests?${canary()}=1`],
    ["GET", "/v1/stats", undefined, { Authorization: `Bearer ${canary()}` }],
    ["GET", "/v1/stats", undefined, { Authorization: canary() }],
    ["GET", `/?token=${canary()}`, undefined, { Authorization: "" }],
    ["GET", "/v1/stats", undefined, { Cookie: canary(), Authorization: "" }],
    ["GET", "/v1/stats", undefined, { Origin: `http://${canary()}` }],
    ["POST", "/v1/events", {}, { "Content-Type": canary() }],
    ["POST", "/v1/events", {}, { "Idempotency-Key": `${canary()} ` + "x".repeat(300) }],
  ];
  for (const [method, path, body, headers] of refused)
    expect(await send(method, path, body, headers)).toBeGreaterThanOrEqual(400);
  await send("POST", "/v1/dead-letters/1/retry", "");
  while (canaries.length < 50)
    await taken(event("tool.announced", { requestId: "r1", tool: "Bash", input: { c: canary() } }));

  await engine.said(/the command for new approvals fails/);
  engine.child.kill("SIGTERM");
  const { out, err } = await engine.ended;
  expect(err).toContain('"msg":"stopped"');
  expect(canaries.filter((one) => (out + err).includes(one))).toEqual([]);
  for (const secret of [lineKey, headers["Authorization"]?.split(" ")[1] ?? ""])
    expect(err).not.toContain(secret);
});
