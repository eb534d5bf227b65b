// The permission tool, started by a client
// What it is told by its command line counts, and nothing that a project's settings could set.

import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => (desk = new Desk()));
afterEach(() => desk.clear());

const data = (): string => join(desk.dir, "data");
/** As a client starts it, with nothing to say. */
const start = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  desk.run(["mcp", ...args], { env, input: "" });

describe("mcp", () => {
  it.each([
    { SIGNALBOX_DATA: "/elsewhere" },
    { SIGNALBOX_DATA: "", XDG_STATE_HOME: "/elsewhere", HOME: userInfo().homedir },
    { SIGNALBOX_DATA: "", HOME: "/elsewhere" },
  ])("PLACE-1: a data folder by a variable is refused in words, with the option to use: %j", async (env) => {
    const { code, out, err } = await start([], env);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Variables cannot choose the data folder here.*--data DIR\.\nSIGNALBOX_DATA, /);
  });

  it("PLACE-1: named by its command line, or by no variable at all, the folder is taken", async () => {
    const env = { SIGNALBOX_DATA: "/elsewhere", XDG_STATE_HOME: "/elsewhere", HOME: "/elsewhere" };
    expect(await start(["--data", data()], env)).toEqual({ code: 0, out: "", err: "" });
    const none = { SIGNALBOX_DATA: "", XDG_STATE_HOME: "", HOME: userInfo().homedir };
    expect(await start([], none)).toEqual({ code: 0, out: "", err: "" });
  });

  it("CLIENT-MCP-1: a workspace by a variable is refused in words, with the option to use; named, it is taken", async () => {
    const env = { SIGNALBOX_WORKSPACE: "theirs" };
    const { code, out, err } = await start(["--data", data()], env);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("--workspace ID")]);
    expect((await start(["--data", data(), "--workspace", "mine"], env)).code).toBe(0);
  });

  it("CLIENT-MCP-1: the entry that a person prints says all of it, and clears the environment", async () => {
    const { out } = await desk.run(["mcp", "--json"], { env: { SIGNALBOX_WORKSPACE: "mine" } });
    const entry = at(jsonLines(out)[0], "mcpServers", "signalbox");
    const [clear, node, , ...args] = listAt(entry, "args");
    expect([at(entry, "command"), clear, node]).toEqual(["/usr/bin/env", "-i", process.execPath]);
    expect(args).toEqual(["mcp", "--data", data(), "--timeout", "3600", "--workspace", "mine"]);
    const other = await desk.run(["mcp", "--json", "--workspace", "other"], {
      env: { SIGNALBOX_WORKSPACE: "mine" },
    });
    expect(other.out).toContain('"--workspace","other"');
  });
});
