// The gate at an address where nothing listens
// What an engine that is gone left behind in the data folder: its address and its key.

import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { at, listAt, textAt } from "../../support/engine/json.ts";
import { build, Desk } from "../../support/processes/program.ts";
import { thisMachine } from "../../../adapters/system/index.ts";
import { bySocket } from "../../support/http/by-socket.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(async () => {
  desk = new Desk();
  expect((await desk.run(["install"])).code).toBe(0);
});
afterEach(() => desk.clear());

const data = (...names: string[]): string => join(desk.dir, "data", ...names);
const PAYLOAD = {
  session_id: "s1",
  cwd: "/home/dev/shop",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "make deploy" },
};

it("GATE-WAITING-1, I-39: nothing listens at the engine's address: closed, and expired once an engine takes the spool", async () => {
  // A port that nobody may listen at without rights, and where nothing does.
  writeFileSync(data("address"), `http://127.0.0.1:1\nstart ${thisMachine()}\n`, { mode: 0o600 });
  writeFileSync(data("line-key"), `${"x".repeat(43)}\n`, { mode: 0o600 });
  const gate = spawn(data("hooks", "gate"), ["--timeout", "60", "--proof", "1"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  gate.stdin.end(JSON.stringify(PAYLOAD));
  const decision = at(JSON.parse(await text(gate.stdout)), "hookSpecificOutput", "decision");
  expect(textAt(decision, "behavior")).toBe("deny");
  expect(textAt(decision, "message")).toMatch(/no engine took the approval in time/);
  expect(readdirSync(data("spool"))).toHaveLength(1);

  await desk.up();
  for (;;) {
    const answered = await bySocket(data())("/v1/approvals").then((it) => it.json());
    const [found] = listAt(answered, "items");
    if (found === undefined || textAt(found, "state") === "pending") await sleep(50);
    else {
      expect(found).toMatchObject({ state: "expired", tool: "Bash", input: PAYLOAD.tool_input });
      while (readdirSync(data("spool")).length > 0) await sleep(20);
      return;
    }
  }
});
