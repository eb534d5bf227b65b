// CLI: tenants
// Ids that two workspaces share, on the command line: nothing is shown or answered by guessing.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../../../support/engine/json.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(async () => {
  await build();
  desk = new Desk();
  await desk.up();
  for (const workspace of ["acme", "bolt"]) {
    const about = { requestId: "r1", tool: "Bash", toolUseId: "t1", input: { command: "ls" } };
    const said = (type: string, data: object, id: string) =>
      desk.emit(type, data, `${workspace}/chat`, "--id", id, "--source", "bot");
    for (const [n, [type, data]] of [
      ["request.created", { requestId: "r1" }] as const,
      ["tool.announced", about] as const,
      ["approval.requested", { ...about, approvalId: "a1" }] as const,
      ["approval.requested", { ...about, toolUseId: "t2", approvalId: "a2" }] as const,
    ].entries())
      expect((await said(type, data, `e${n}`)).out).toMatch(/^applied/);
  }
}, 180_000);
afterAll(() => desk.clear());

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);
const states = async (id: string): Promise<readonly unknown[]> =>
  Promise.all(
    ["acme", "bolt"].map(async (workspace) =>
      textAt(jsonLines((await run("show", id, "--workspace", workspace, "--json")).out)[0], "state"),
    ),
  );

describe("an id in two workspaces", () => {
  it.each([
    ["show", "a1", ["npx signalbox show a1 --workspace acme", "npx signalbox show a1 --workspace bolt"]],
    ["show", "r1", ["npx signalbox show r1 --workspace acme", "npx signalbox show r1 --workspace bolt"]],
    ["show", "t1", ["npx signalbox show t1 --workspace acme", "npx signalbox show t1 --workspace bolt"]],
    [
      "show",
      "chat",
      ["npx signalbox show chat --workspace acme", "npx signalbox show chat --workspace bolt"],
    ],
    [
      "approve",
      "a1",
      ["npx signalbox approve a1 --workspace acme", "npx signalbox approve a1 --workspace bolt"],
    ],
    ["deny", "a1", ["npx signalbox deny a1 --workspace acme", "npx signalbox deny a1 --workspace bolt"]],
    [
      "approvals",
      "a1",
      ["npx signalbox approvals a1 --workspace acme", "npx signalbox approvals a1 --workspace bolt"],
    ],
    ["export", "chat", ["--workspace acme", "--workspace bolt"]],
  ])(
    "G12, LOOKUP-1: %s %s ends with 1, the places and what to type for each",
    async (command, id, choices) => {
      expect(await run(command, id)).toEqual({
        code: 1,
        out: "",
        err: `The id ${id} exists 2 times, in different workspaces or sessions. Choose one:\n${choices.map((each) => `  ${each}\n`).join("")}`,
      });
      expect(await states("a1")).toEqual(["pending", "pending"]);
    },
  );

  it("G12: with a workspace, each command is about that one", async () => {
    for (const id of ["a1", "r1", "t1", "chat"])
      for (const workspace of ["acme", "bolt"])
        expect(jsonLines((await run("show", id, "--workspace", workspace, "--json")).out)).toMatchObject([
          { workspace },
        ]);
    const listed = await run("approvals");
    for (const workspace of ["acme", "bolt"])
      expect(listed.out).toContain(
        `answer    npx signalbox approve a1 --workspace ${workspace}\n            npx signalbox deny a1 --workspace ${workspace} -m TEXT\n`,
      );
    expect((await run("approve", "a1", "--workspace", "nobody")).code).toBe(1);
    expect((await run("deny", "a1", "--workspace", "bolt", "-m", "no")).code).toBe(0);
    expect(await states("a1")).toEqual(["pending", "denied"]);
  });

  it("CLI-DECIDE-3: approvals that are alike are answered only in the workspace of the one named", async () => {
    const alike = await run("approve", "a1", "--alike", "--workspace", "acme");
    expect([alike.code, alike.out.match(/^a\d is approved\.$/gm)]).toEqual([
      0,
      ["a1 is approved.", "a2 is approved."],
    ]);
    expect(await states("a2")).toEqual(["approved", "pending"]);
  });
});
