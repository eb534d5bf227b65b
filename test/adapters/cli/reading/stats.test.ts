// Stats
// How approvals were answered, as a person and a spreadsheet are told.

import { describe, expect, it } from "vitest";
import { at } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();
const stats = (...args: readonly string[]): Promise<Ended> => desk.run(["stats", ...args]);

describe("stats", () => {
  it("CLI, FIGURES-ANSWERS-1: says who answered, how soon and of what, for people and for spreadsheets", async () => {
    expect((await stats()).out).toBe(
      "Of 0 approvals asked in the last 30d, people answered 0 here and 0 at the client, rules 0, models 0; nobody answered 0, and 0 wait.\n0 were allowed, 0 denied. How long people took to answer is not known.\n",
    );
    const ask = (approvalId: string, tool: string) =>
      desk.emit("approval.requested", { tool, input: { command: "ls" }, approvalId }, `shop/s-${approvalId}`);
    await ask("a1", "Bash");
    await ask("a2", "=cmd,x");
    await ask("a3", "Bash");
    await desk.run(["approve", "a1"]);
    await desk.run(["deny", "a2"]);
    const told = await stats("--by", "tool");
    expect([told.code, told.err]).toEqual([0, ""]);
    expect(told.out).toMatch(
      /^Of 3 approvals asked in the last 30d, people answered 2 here and 0 at the client, rules 0, models 0; nobody answered 0, and 1 wait\.\n1 were allowed, 1 denied\. Half of the answers given here came within \d+s, /,
    );
    expect(told.out).toMatch(/^Bash +2 +1 +0 +1 +0 +0 +0 +0 +1 +\d+s$/m);
    const [head, ...rows] = (await stats("--by", "tool", "--csv", "--workspace", "shop")).out
      .trim()
      .split("\n");
    expect(head).toBe(
      "tool,asked,allowed,denied,person,client,rule,model,nobody,waiting,wait_count,wait_p50,wait_p90,wait_longest",
    );
    expect(rows[0]).toMatch(/^Bash,2,1,0,1,0,0,0,0,1,1,\d+,\d+,\d+$/);
    expect(rows[1]).toMatch(/^"'=cmd,x",1,0,1,1,0,0,0,0,0,1,\d+,\d+,\d+$/);
    const [whole] = jsonLines((await stats("--json")).out);
    expect([at(whole, "all", "asked"), at(whole, "more")]).toEqual([3, false]);
    expect(at(jsonLines((await stats("--json", "--workspace", "other")).out)[0], "all", "asked")).toBe(0);
    for (const args of [
      ["--since", "soon"],
      ["--by", "moon"],
    ])
      expect([args, (await stats(...args)).code]).toEqual([args, 2]);
  });
});
