// Rule file
// Files of rules put in force one after another, beside rules that people make, against a model of what is then in force.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { FileScope, RuleTerms } from "../../../machines/index.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { nameOf } from "../../../runtime/turn/rule-file.ts";
import type { KeptRule } from "../../../runtime/rows/rule-rows.ts";
import { Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { holdsLater } from "../../support/properties/property.ts";
import { askFor, fateOf, MADE_BY, ruleFor } from "../../support/rules/ruled.ts";
import { glob } from "../../support/rules/terms.ts";

const FILE = "test/runtime/turn/rule-file.test.ts";
const COMMANDS = ["ls", "git log", "git status", "npm test"] as const;

const apply = (rig: Rig, scope: FileScope, rules: readonly RuleTerms[]) =>
  rig.engine.own(WORKSPACE, ENGINE.session, { type: "rules.applied", scope, rules, by: MADE_BY });

const inForce = (rig: Rig): readonly KeptRule[] =>
  [...rig.rows(`rule/${WORKSPACE}/`).values()].map((text) => JSON.parse(text) as KeptRule);

const terms = (effects: readonly RuleTerms["effect"][]) =>
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(...effects), fc.constantFrom(...COMMANDS), fc.constantFrom(undefined, 1, 2)),
      { selector: String, maxLength: 6 },
    )
    .map((all) =>
      all.map(([effect, text, uses]) =>
        glob(effect, text, uses === undefined || effect === "ask" ? {} : { uses }),
      ),
    )
    .map((all) => [...new Map(all.map((each) => [nameOf(each), each])).values()]);

const step = fc.oneof(
  terms(["allow", "deny"]).map((rules) => ({ scope: "owner" as const, rules })),
  terms(["deny", "ask"]).map((rules) => ({ scope: "project" as const, rules })),
  fc.constantFrom(...COMMANDS).map((command) => ({ asked: command })),
  fc.constantFrom(...COMMANDS).map((made) => ({ made })),
  fc.constant({ killed: true as const }),
);

test("RULE-FILE-1, RULE-FILE-2, RULE-FILE-3: what a file says is in force, with what it was; all else stays", async () => {
  await holdsLater(FILE, 25, fc.array(step, { maxLength: 12 }), async (steps) => {
    let rig = await Rig.start();
    const spent: Record<FileScope, Set<string>> = { owner: new Set(), project: new Set() };
    let n = 0;
    for (const each of steps) {
      const before = inForce(rig);
      if ("scope" in each) {
        const { scope, rules } = each;
        const reply = await apply(rig, scope, rules);
        expect(reply.outcome).toBe("applied");
        const after = inForce(rig);
        const wanted = rules
          .map(nameOf)
          .filter(
            (name) =>
              !spent[scope].has(name) || before.some((rule) => nameOf(rule) === name && rule.file === scope),
          );
        expect(
          after
            .filter(({ file }) => file === scope)
            .map(nameOf)
            .toSorted(),
        ).toEqual(wanted.toSorted());
        expect(after.filter(({ file }) => file !== scope)).toEqual(
          before.filter(({ file }) => file !== scope),
        );
        // What stays is the same row, with its uses.
        for (const rule of after.filter(({ id }) => before.some((was) => was.id === id)))
          expect(before).toContainEqual(rule);
        const again = await apply(rig, scope, rules);
        expect(again.file).toMatchObject({ added: [], removed: [] });
        expect(inForce(rig)).toEqual(after);
      } else if ("made" in each) await ruleFor(rig, glob("deny", each.made));
      else if ("killed" in each) rig = await rig.restart();
      else await askFor(rig, `a${++n}`, each.asked);
      const now = new Set(inForce(rig).map(({ id }) => id));
      if ("asked" in each)
        for (const rule of before) if (rule.file && !now.has(rule.id)) spent[rule.file].add(nameOf(rule));
    }
    await rig.engine.stop();
  });
});

test("RULE-FILE-1, RULE-FILE-4: one fault, or one rule too many, and nothing of the file is in force", async () => {
  const rig = await Rig.start();
  await apply(rig, "owner", [glob("deny", "rm *")]);
  const before = inForce(rig);
  expect(await apply(rig, "owner", [glob("allow", "ls"), { effect: "allow", tool: "Bash" }])).toMatchObject({
    outcome: "rejected",
    code: "WRONG_SHAPE",
    path: "rules[1].match",
  });
  expect(await apply(rig, "project", [glob("allow", "ls")])).toMatchObject({ path: "rules[0].effect" });
  const many = Array.from({ length: 201 }, (_, n) => glob("deny", `rm ${n}`));
  expect(await apply(rig, "owner", many)).toMatchObject({ code: "TOO_MANY_RULES" });
  expect(inForce(rig)).toEqual(before);
  expect((await apply(rig, "owner", many.slice(0, 200))).file?.added).toHaveLength(200);
  await askFor(rig, "a1", "rm 199");
  expect(fateOf(rig, "a1")).toMatch(/^denied rule:r_\w+_199$/);
  await rig.engine.stop();
});

test("RULE-FILE-3: what was used up, or whose time is over, does not come again with the file", async () => {
  const rig = await Rig.start();
  const rules = [
    glob("allow", "ls", { uses: 1 }),
    glob("deny", "git log", { expiresAt: rig.clock.now() + 1_000 }),
  ];
  await apply(rig, "owner", rules);
  await askFor(rig, "a1", "ls");
  rig.clock.advance(2_000);
  await askFor(rig, "a2", "git log");
  const { file } = await apply(rig, "owner", rules);
  expect([file?.added, file?.removed]).toEqual([[], []]);
  await askFor(rig, "a3", "ls");
  expect(["a1", "a2", "a3"].map((id) => fateOf(rig, id).split(" ")[0])).toEqual([
    "approved",
    "pending",
    "pending",
  ]);
  await rig.engine.stop();
});
