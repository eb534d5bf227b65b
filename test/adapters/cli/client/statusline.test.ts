// Status line
// The line that the client shows below its prompt: what waits elsewhere, and nothing that blocks.

import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../support/http/free-port.ts";
import { textAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

const data = (): readonly string[] => ["--data", join(desk.dir, "data")];
const client = (session: string): string =>
  JSON.stringify({ session_id: session, cwd: "/home/ada/shop", model: { display_name: "…" } });
const AWAY = { code: 0, out: "Signalbox: away\n", err: "" };

async function ask(session: string, approvalId: string, command: string): Promise<void> {
  const { err } = await desk.emit(
    "approval.requested",
    { approvalId, tool: "Bash", input: { command } },
    `shop/${session}`,
  );
  expect(err).toBe("");
}

describe("statusline", () => {
  it("STATUSLINE-1, URGENCY-1: it tells what waits in other sessions, the most urgent with its mark, in one line without control characters", async () => {
    await desk.up();
    const line = async (session: string) =>
      (await desk.run(["statusline", ...data(), "--wait", "30000"], { input: client(session) })).out;
    expect(await line("s1")).toBe("Signalbox: nothing waits elsewhere\n");
    await ask("s2", "q2", `echo ${"long ".repeat(60)}`);
    await ask("s1", "q1", "rm -rf build\u001b[2J\u0007\necho done");
    expect(await line("s3")).toMatch(
      /^Signalbox: 2 waiting elsewhere, \d+s: \[! [A-Z][^\]]+\] Bash rm -rf build␛\[2J␇ in s1\n$/,
    );
    expect(await line("s1")).toMatch(/^Signalbox: 1 waiting elsewhere, \d+s: Bash echo long .*… in s2\n$/);
    expect((await line("s1")).length).toBeLessThanOrEqual(111);
  });

  it("STATUSLINE-1, STATUSLINE-2: without an engine, with a silent one, and with odd input it says one word and ends with 0", async () => {
    expect(await desk.run(["statusline", ...data()], { input: "" })).toEqual(AWAY);
    const url = `http://127.0.0.1:${await freePort()}`;
    writeFileSync(join(desk.dir, "token"), "t\n");
    const asked = ["statusline", ...data(), "--token-file", join(desk.dir, "token"), "--url"];
    expect(await desk.run([...asked, url], { input: "{]" })).toEqual(AWAY);
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const started = desk.start([...asked, `http://127.0.0.1:${port}`], { keepInput: true });
    expect(await started.ended).toEqual({ ...AWAY, out: "Signalbox: busy\n" });
    silent.closeAllConnections();
    silent.close();
  });

  it.each([
    ["SIGNALBOX_DATA", "/elsewhere", "--data", () => []],
    ["XDG_STATE_HOME", "/elsewhere", "--data", () => []],
    ["SIGNALBOX_URL", "http://127.0.0.1:9", "--url", data],
    ["SIGNALBOX_TOKEN", "theirs", "--token-file", data],
  ])(
    "STATUSLINE-3, PLACE-1: %s is told of with the option to use, and nobody is asked",
    async (name, value, option, by) => {
      const env = { SIGNALBOX_DATA: "", HOME: userInfo().homedir, [name]: value };
      const { code, out, err } = await desk.run(["statusline", ...by()], { env, input: "" });
      expect([code, err, out.split("\n").length]).toEqual([0, "", 2]);
      expect(out).toMatch(/^Signalbox: .*because a project can set (it|them): use /);
      expect(out).toContain(`use ${option}`);
    },
  );

  it("STATUSLINE-3: named by its command line, an engine and a token are taken, whatever variables say", async () => {
    const { url } = await desk.up();
    const added = await desk.run(["token", "add", "ada", "--json"]);
    const token = textAt(jsonLines(added.out)[0], "path") ?? "";
    const env = {
      SIGNALBOX_URL: "http://127.0.0.1:9",
      SIGNALBOX_TOKEN: "theirs",
      SIGNALBOX_DATA: "/elsewhere",
    };
    const args = ["statusline", ...data(), "--url", url, "--token-file", token, "--wait", "30000"];
    // TOKEN-WATCH-1: the engine takes a second to hear of it.
    await expect
      .poll(() => desk.run(args, { env, input: "" }))
      .toMatchObject({ code: 0, out: "Signalbox: nothing waits elsewhere\n" });
  });
});
