// Emit
// What `emit` sends, where its data comes from, and what it says of the answer.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(async () => {
  await build();
  desk = new Desk();
  await desk.up();
}, 180_000);
afterAll(() => desk.clear());

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);
const emit: Desk["emit"] = (...said) => desk.emit(...said);

describe("emit", () => {
  it("CLI: an event is applied once, however often it is sent under its id", async () => {
    const data = { requestId: "r-emit" };
    const first = await emit("request.created", data, "shop/chat-7", "--id", "1", "--json");
    expect(jsonLines(first.out)).toMatchObject([{ outcome: "applied" }]);
    expect(
      jsonLines((await emit("request.created", data, "shop/chat-7", "--id", "1", "--json")).out),
    ).toMatchObject([{ outcome: "duplicate" }]);
    expect((await run("show", "r-emit")).out).toContain("created");
  });

  it("CLI: --data names the folder, as everywhere", async () => {
    const said = ["emit", "request.created", "--subject", "shop/s", "--body", '{"requestId":"r-folder"}'];
    expect(
      (await desk.run([...said, "--data", join(desk.dir, "data")], { env: { SIGNALBOX_DATA: "" } })).code,
    ).toBe(0);
    expect((await run("show", "r-folder")).code).toBe(0);
    expect((await run(...said, "--data", join(desk.dir, "other"))).code).toBe(1);
  });

  it("CLI: data can come from a file or from standard input", async () => {
    const path = join(desk.dir, "data.json");
    writeFileSync(path, '{"requestId":"r-file"}');
    expect((await run("emit", "request.created", "--subject", "shop", "--body", `@${path}`)).code).toBe(0);
    const piped = await desk.run(["emit", "request.created", "--subject", "shop", "--body", "@-"], {
      input: '{"requestId":"r-pipe"}',
    });
    expect(piped.code).toBe(0);
    expect((await run("show", "r-file")).code).toBe(0);
    expect((await run("show", "r-pipe")).code).toBe(0);
  });

  it("CLI: a refusal is exit code 1, with the engine's words", async () => {
    const { code, err } = await emit("request.created", { requestId: 7 });
    expect([code, err]).toEqual([1, expect.stringContaining("requestId")]);
    expect((await emit("no.such", {})).code).toBe(1);
    expect((await emit("request.completed", { requestId: "never-heard-of" })).code).toBe(1);
  });

  it("EARLY-LIST-1: emit prints the warning about a list that ended calls, and ends with 0", async () => {
    const { code, out, err } = await emit(
      "tool.batch",
      { requestId: "early", calls: [{ toolUseId: "t1", tool: "send_mail" }] },
      "shop/early",
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^applied, at position \d+\n$/)]);
    expect(err).toMatch(/^Warning: This tool\.batch ended 1 call without a result: t1; send it last/);
  });
});
