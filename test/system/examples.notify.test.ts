// Examples: scripts
// The shell scripts of docs/examples, run as the engine runs them, with a stand-in for the service that each talks to.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "examples");
const heard: string[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    heard.push(body);
    response.end();
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`;
});
beforeEach(() => void heard.splice(0));
afterAll(() => server.close());

const APPROVAL = {
  SIGNALBOX_APPROVAL_ID: "q1",
  SIGNALBOX_SESSION: "s1",
  SIGNALBOX_WORKSPACE: "w",
  SIGNALBOX_TOOL: "Bash",
};
const ALARM = {
  SIGNALBOX_ALARM: "executedAfterDenial",
  SIGNALBOX_CALL_ID: "t1",
  SIGNALBOX_SESSION: "s1",
  SIGNALBOX_WORKSPACE: "w",
};

async function run(file: string, env: Readonly<Record<string, string>>) {
  const child = spawn(join(FOLDER, file), { env: { PATH: process.env["PATH"], ...env } });
  const [err, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  return { code, err };
}

describe.each([
  ["notify/ntfy.sh", "NTFY_URL", (said: string) => said],
  ["notify/slack.sh", "SLACK_WEBHOOK", (said: string) => JSON.stringify({ text: said })],
])("examples: %s", (file, variable, form) => {
  it("Examples: it says nothing but that somebody has to look, of an approval and of an alarm", async () => {
    for (const told of [APPROVAL, ALARM])
      expect(await run(file, { ...told, [variable]: url })).toEqual({ code: 0, err: "" });
    expect(heard).toEqual(["An approval waits in Signalbox", "Signalbox raised an alarm"].map(form));
  });

  it("Examples: asked to, it says tool, session and id", async () => {
    for (const told of [APPROVAL, { ...APPROVAL, SIGNALBOX_APPROVERS: "ann,ben" }, ALARM])
      expect((await run(file, { ...told, [variable]: url, NOTIFY_CONTENT: "1" })).code).toBe(0);
    expect(heard).toEqual(
      [
        "An approval waits in Signalbox: Bash in s1, q1",
        "An approval waits in Signalbox: Bash in s1, q1, for ann,ben",
        "Signalbox raised an alarm: executedAfterDenial, a tool in s1, t1",
      ].map(form),
    );
  });

  it("Examples: without an address it says which variable is not set", async () => {
    const { code, err } = await run(file, APPROVAL);
    expect([code === 0, err]).toEqual([false, expect.stringContaining(`${variable}: is not set`)]);
    expect(heard).toEqual([]);
  });
});

it("Examples: audit/publish.sh publishes the checkpoint with the `nats` command", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-publish-"));
  writeFileSync(join(folder, "nats"), `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/said"\n`, { mode: 0o755 });
  const path = `${folder}:${process.env["PATH"] ?? ""}`;
  const ended = await run("audit/publish.sh", {
    SIGNALBOX_CHECKPOINT: "signalbox/audit\n7\nroot=",
    PATH: path,
  });
  const said = readFileSync(join(folder, "said"), "utf8");
  rmSync(folder, { recursive: true });
  expect([ended, said]).toEqual([
    { code: 0, err: "" },
    "pub\naudit.checkpoints\nsignalbox/audit\n7\nroot=\n",
  ]);
});
