// Suggested rules
// A person is told which rules would have answered as people did, and takes one.

import { describe, expect, it } from "vitest";
import { at, textAt } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();
const rules = (...args: readonly string[]): Promise<Ended> =>
  desk.run(["rules", ...args, "--workspace", "shop"]);

async function answered(
  id: string,
  session: string,
  command: string,
  how: "approve" | "deny",
): Promise<void> {
  await desk.emit(
    "approval.requested",
    { tool: "Bash", input: { command }, approvalId: id },
    `shop/${session}`,
  );
  const { code, err } = await desk.run([how, id]);
  if (code !== 0) throw new Error(err);
}

describe("suggested rules", () => {
  it("CLI: are told with their evidence, taken as ordinary rules, and never allow what was denied", async () => {
    expect((await rules("suggest")).out).toMatch(/\S/);
    for (const session of ["s1", "s2", "s3"])
      await desk.emit("session.started", { cwd: "/home/ann/shop" }, `shop/${session}`);
    for (const [n, session] of ["s1", "s1", "s2", "s2", "s3"].entries()) {
      await answered(`a${n}`, session, "npm test", "approve");
      await answered(`b${n}`, session, "npm run deploy", n === 0 ? "deny" : "approve");
    }
    const [found, ...others] = jsonLines((await rules("suggest", "--json")).out).flatMap(
      (each) => at(each, "items") ?? each,
    );
    expect(others).toEqual([]);
    expect(JSON.stringify(found)).toContain("npm test");
    const told = (await rules("suggest")).out;
    expect(told).toMatch(/^s_\w+: allow Bash npm test \(.*without a risk's mark.*\)$/m);
    expect(told).toMatch(/^  by: local:\w+ 5; in 3 sessions, from/m);
    const id = textAt(found, "id") ?? "";
    const taken = await rules("suggest", "--take", id);
    expect(taken).toMatchObject({ code: 0, err: "" });
    expect(jsonLines((await rules("ls", "--json")).out)).toMatchObject([
      { effect: "allow", tool: "Bash", unmarked: true },
    ]);
    await desk.emit(
      "approval.requested",
      { tool: "Bash", input: { command: "npm test" }, approvalId: "c" },
      "shop/s2",
    );
    expect(jsonLines((await desk.run(["show", "c", "--json"])).out)).toMatchObject([{ state: "approved" }]);
    // What a rule answers already is not suggested again.
    expect((await rules("suggest", "--json")).out).not.toContain("npm test");
    const unknown = await rules("suggest", "--take", "s_000000000000");
    expect(unknown.code).toBe(1);
    expect(unknown.err).toMatch(/s_000000000000/);
    const agent = await desk.run(["rules", "suggest", "--take", id, "--workspace", "shop"], {
      env: { CLAUDECODE: "1" },
    });
    expect(agent.err).toContain("is refused here");
  });
});
