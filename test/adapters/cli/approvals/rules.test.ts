// Rules
// A person makes, lists, tries and removes rules; an agent does not.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../../../adapters/index.ts";
import { at, textAt } from "../../../support/engine/json.ts";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";
import { bySocket } from "../../../support/http/by-socket.ts";

const desk = deskWithEngine();

const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);
const ask = (id: string, command: string): Promise<unknown> =>
  desk.emit("approval.requested", { tool: "Bash", input: { command }, approvalId: id }, "shop/s1");

describe("rules", () => {
  it("CLI: are made, answer, are listed with their uses, tried, and removed", async () => {
    await ask("a0", "git status");
    const made = await run(
      "rules",
      "add",
      "allow",
      "Bash",
      "--glob",
      "git status *",
      "--for",
      "2h",
      "--note",
      "reads",
    );
    expect(made).toMatchObject({ code: 0, err: "" });
    const [, id = ""] = /^(r_\w+): allow Bash git status \* \(for 2h\), in shop\./.exec(made.out) ?? [];
    await ask("a1", "git status -s");
    await ask("a2", "git status; rm -rf /");
    expect(jsonLines((await run("show", "a1", "--json")).out)).toMatchObject([
      {
        state: "approved",
        by: `rule:${id}`,
        message: expect.stringMatching(/^Allowed by rule .*: reads$/) as string,
      },
    ]);
    // The one with a mark comes first.
    expect(jsonLines((await run("approvals", "--json")).out).map((one) => textAt(one, "id"))).toEqual([
      "a2",
      "a0",
    ]);
    expect((await run("rules", "ls")).out).toMatch(
      new RegExp(
        `^RULE +EFFECT .*\\n${id} +allow +Bash +git status \\* +for 2h +1 +local:\\w+, \\d+s ago +reads\\n$`,
      ),
    );
    await run("deny", "a0");
    const tried = await run("rules", "test", id);
    expect(tried.out).toContain(
      "Of 3 approvals the rule would have allowed 2, denied 0, and left 1 to a person.\n",
    );
    expect(tried.out).toContain("In 1 case a person answered otherwise.\n");
    expect(tried.out).toMatch(/^! +a0 +allow +denied by local:/m);
    const draft = await run(
      "rules",
      "test",
      "--tool",
      "Bash",
      "--prefix",
      "git",
      "--effect",
      "deny",
      "--json",
    );
    expect(at(jsonLines(draft.out)[0], "deny")).toBe(3);
    const checked = await run("rules", "test", id, "--since", "1h", "--check");
    expect([checked.code, checked.out]).toEqual([
      1,
      expect.stringContaining("On 1 day with approvals it would"),
    ]);
    expect((await run("rules", "test", "--tool", "Write", "--effect", "deny", "--check")).code).toBe(0);
    expect((await run("rules", "rm", id)).out).toBe(
      `${id} is removed: allow Bash git status *. It was used 1 time.\n`,
    );
    expect((await run("rules", "ls")).out).toBe("No rule is in force.\n");
    expect(jsonLines((await run("rules", "ls", "--ended", "--json")).out)).toMatchObject([
      { id, state: "removed" },
    ]);
  });

  it("CLI, RULING-8: a dry rule is made, its record is listed, and a person makes it answer", async () => {
    const add = ["rules", "add", "allow", "Bash", "--glob", "ls *", "--dry", "--workspace", "shop"];
    const made = await run(...add);
    const [, id = ""] = /^(r_\w+): allow Bash ls \*/.exec(made.out) ?? [];
    expect(made.out).toContain(
      `The rule answers nothing: it would have answered 0 of 0, otherwise than a person 0 times.\nMake it answer: \`npx signalbox rules enforce ${id}\`.\n`,
    );
    await ask("d1", "ls -l");
    await run("deny", "d1");
    expect((await run("rules", "ls")).out).toMatch(
      new RegExp(`^${id} +allow, dry +Bash .* would 1 of 1, 1 otherwise `, "m"),
    );
    expect((await run("rules", "enforce")).code).toBe(2);
    const byAgent = await desk.run(["rules", "enforce", id], { env: { CLAUDECODE: "1" } });
    expect([byAgent.code, byAgent.err]).toEqual([1, expect.stringContaining("Making a rule answer")]);
    const [enforced] = jsonLines((await run("rules", "enforce", id, "--json")).out);
    expect(enforced).toMatchObject({ id, record: { asked: 1, answered: 1, contradicted: 1 } });
    expect(at(enforced, "dry")).toBeUndefined();
    await run("rules", "rm", id);
  });

  it("CLI, PROGRAM-1: what is no rule is refused, with the part at fault and what to do", async () => {
    const operator = await run("rules", "add", "allow", "Bash", "--prefix", "git log && rm");
    expect([operator.code, operator.err]).toEqual([
      1,
      expect.stringContaining("match.prefix must be the words of one plain command"),
    ]);
    const misused: readonly (readonly string[])[] = [
      ["add", "allow"],
      ["add", "maybe", "Bash"],
      ["add", "deny", "Bash", "--prefix", "x", "--glob", "y"],
      ["add", "deny", "Bash", "--for", "soon"],
      ["add", "deny", "Bash", "--until", "soon"],
      ["add", "deny", "Bash", "--uses", "0"],
      ["rm"],
      ["test"],
      ["test", "--tool", "Write", "--since", "soon"],
    ];
    for (const args of misused) expect([args, (await run("rules", ...args)).code]).toEqual([args, 2]);
    const gone = await run("rules", "rm", "r_zz");
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("There is no rule r_zz in force")]);
    const elsewhere = await run("rules", "add", "deny", "Bash", "--session", "none");
    expect(elsewhere.code).toBe(1);
  });

  it("COMMANDS-RULES-1, CLI: an agent makes none to allow and removes none; it may make one to deny", async () => {
    const agent = { CLAUDECODE: "1" };
    const words = ["rules", "add", "allow", "Bash", "--prefix", "git status"];
    const allow = await desk.run(words, { env: agent });
    expect([allow.code, allow.err]).toEqual([1, expect.stringContaining("so an agent runs this command")]);
    expect((await desk.run(["rules", "add", "deny", "Bash", "--prefix", "rm"], { env: agent })).code).toBe(0);
    const [rule] = jsonLines((await run("rules", "ls", "--json")).out);
    expect((await desk.run(["rules", "rm", textAt(rule, "id") ?? ""], { env: agent })).code).toBe(1);
  });

  it("CLI: before there is any session, a rule is for the workspace that a client in this folder will be in", async () => {
    const first = new Desk();
    try {
      await first.up();
      const made = await first.run(["rules", "add", "deny", "Bash", "--prefix", "git push", "--json"]);
      await bySocket(join(first.dir, "data"))("/v1/hooks/claude-code", {
        method: "POST",
        body: JSON.stringify({
          hook_event_name: "UserPromptSubmit",
          session_id: "s9",
          cwd: process.cwd(),
          prompt: "hi",
        }),
      });
      const [session] = jsonLines((await first.run(["ls", "sessions", "--json"])).out);
      expect(textAt(jsonLines(made.out)[0], "workspace")).toBe(textAt(session, "workspace"));
    } finally {
      await first.clear();
    }
  });

  it("CLI, PAST-APPROVALS-1: how long past approvals are kept is said at the start", async () => {
    const brief = await createEngine({ approvalsKeptMs: 5 });
    expect(brief.engine.meta().configuration.approvalsKeptMs).toBe(5);
    await brief.stop();
    const usual = await createEngine();
    expect(usual.engine.meta().configuration.approvalsKeptMs).toBe(90 * 24 * 60 * 60 * 1000);
    await usual.stop();
    const misused = await run("up", "--past-approvals", "many");
    expect([misused.code, misused.err]).toEqual([2, expect.stringContaining("--past-approvals")]);
  });
});
