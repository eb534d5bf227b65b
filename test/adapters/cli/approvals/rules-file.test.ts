// Rules of a file
// A person checks a file of rules, sees what it would change, and puts it in force.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, listAt } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();
const run = (...args: readonly string[]): Promise<Ended> => desk.run(["rules", ...args]);
const IN = ["--workspace", "shop"] as const;

const written = (folder: string, text: string): string => {
  mkdirSync(join(desk.dir, folder), { recursive: true });
  const path = join(desk.dir, folder, "signalbox.rules.yaml");
  writeFileSync(path, text);
  return path;
};
const file = (...rules: readonly string[]): string => `version: 1\nrules:\n${rules.join("")}`;
const PUSH = "  - deny: Bash\n    prefix: git push\n    note: Ann pushes\n";
const LOG = "  - allow: Bash\n    glob: git log *\n";

describe("rules of a file", () => {
  it("RULES-TESTING-1: are tried on the history before they are in force", async () => {
    const owners = written("data", file(PUSH, LOG));
    const commands = ["git log -1", "git push", "npm test"];
    for (const [n, command] of commands.entries()) {
      const toolUseId = `try${n}`;
      const input = { tool: "Bash", input: { command }, toolUseId, approvalId: toolUseId };
      await desk.emit("approval.requested", input, `trial/s${n}`);
    }
    const trial = (...args: readonly string[]): Promise<Ended> =>
      run("test", owners, "--workspace", "trial", ...args);
    const found = await trial();
    expect(found.out).toContain(
      "Of 3 approvals the rule would have allowed 1, denied 1, and left 1 to a person.",
    );
    expect(found.out).toMatch(/try1 +deny +rules\[0\]/);
    expect(JSON.parse((await trial("--session", "s1", "--json")).out)).toMatchObject({ asked: 1, deny: 1 });
    expect(await trial("--project", "nowhere", "--check")).toMatchObject({ code: 0 });
    expect((await run("ls", "--workspace", "trial")).out).toBe(
      "No rule is in force in the workspace trial.\n",
    );
    const mixed = await trial("r_1");
    expect([mixed.code, mixed.err]).toEqual([2, expect.stringContaining("A file is tried alone")]);
    const lost = await run("test", "no-such.yaml", "--workspace", "trial");
    expect([lost.code, lost.err]).toEqual([1, expect.stringContaining("no-such.yaml cannot be read")]);
  });

  it("CLI, RULE-FILE-1: are checked, compared, put in force and taken out again", async () => {
    const owners = written("data", file(PUSH, LOG));
    expect((await run("check", owners)).out).toContain("2 rules, yours.");
    const diff = await run("diff", owners, ...IN, "--check");
    expect(diff.code).toBe(1);
    expect(diff.out).toContain("+ deny Bash git push …\n+ allow Bash git log *\n2 rules added, 0 removed");
    expect((await run("ls", ...IN)).out).toMatch(
      /^No rule is in force in the workspace shop\. No session of this workspace is known: .*\n$/,
    );
    expect((await run("apply", owners, ...IN)).out).toContain("2 rules added, 0 removed, 0 as before.");
    await desk.emit(
      "approval.requested",
      { tool: "Bash", input: { command: "git log -1" }, approvalId: "a1" },
      "shop/s1",
    );
    expect(jsonLines((await desk.run(["show", "a1", "--json"])).out)).toMatchObject([{ state: "approved" }]);
    expect((await run("apply", owners, ...IN)).out).toContain("0 rules added, 0 removed, 2 as before.");
    expect(await run("diff", owners, ...IN, "--check")).toMatchObject({ code: 0 });
    // What is exported is what is in force, whoever reads it back.
    const { out } = await run("export", ...IN);
    written("data", out);
    expect((await run("diff", owners, ...IN)).out).toContain("0 rules added, 0 removed, 2 as before.");
    written("data", file(LOG));
    const applied = JSON.parse((await run("apply", owners, ...IN, "--json")).out) as unknown;
    expect(listAt(applied, "removed").map((rule) => at(rule, "note"))).toEqual(["Ann pushes"]);
    expect(jsonLines((await run("ls", ...IN, "--json")).out)).toMatchObject([
      { effect: "allow", used: 1, file: "owner" },
    ]);
  });

  it("FILE-ACTIONS-1, RULE-FILE-4: a project's file may deny and ask; a fault names its line", async () => {
    const project = written("project", file(LOG));
    const refused = await run("apply", project, ...IN);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /signalbox\.rules\.yaml:3: rule 1\.effect cannot be allow in a project's file/,
    );
    written("project", file(PUSH));
    expect((await run("check", project)).out).toContain("1 rule, a project's: they allow nothing.");
    const agent = await desk.run(["rules", "apply", project, ...IN], { env: { CLAUDECODE: "1" } });
    expect(agent.err).toContain("Putting rules in force is refused here");
    expect((await run("check", join(desk.dir, "nothing.yaml"))).err).toContain("cannot be read");
    expect(JSON.parse((await run("schema")).out)).toHaveProperty("properties.rules");
  });
});
