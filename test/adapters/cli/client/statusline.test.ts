// Status line
// The line that the client shows below its prompt: what waits elsewhere, and nothing that blocks.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../support/http/free-port.ts";
import { build, Desk } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

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
      (await desk.run(["statusline", "--wait", "30000"], { input: client(session) })).out;
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
    expect(await desk.run(["statusline"], { input: "" })).toEqual(AWAY);
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { SIGNALBOX_TOKEN: "t" };
    expect(await desk.run(["statusline", "--url", url], { input: "{]", env })).toEqual(AWAY);
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const started = desk.start(["statusline", "--url", `http://127.0.0.1:${port}`], { keepInput: true, env });
    expect(await started.ended).toEqual({ ...AWAY, out: "Signalbox: busy\n" });
    silent.closeAllConnections();
    silent.close();
  });
});
