// Suggestions
// What is suggested agrees with every answer, is the same in whatever order, and says what its trial says.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MODEL, NOTHING_GUARDED, type RuleTerms, rulingOf } from "../../../../machines/index.ts";
import { toolInput } from "../../../../runtime/canonical.ts";
import { ended, trialInSlices } from "../../../../runtime/reading/rule-trial.ts";
import type { Suggestions } from "../../../../runtime/reading/suggesting/suggestions.ts";
import { risksOf } from "../../../../runtime/risks/risks.ts";
import { withMarks } from "../../../../runtime/risks/marked.ts";
import { holdsLater } from "../../../support/properties/property.ts";
import { KNOWN, OWN } from "../../../support/rules/hostile.ts";
import { ODD } from "../../../support/rules/odd-inputs.ts";
import { evaluateAlternate, evaluateTeam } from "../../../support/suggestions/evaluate.ts";
import {
  bashOf,
  FOLDER,
  type Past,
  pastOf,
  readerOf,
  suggested,
  TEAM,
} from "../../../support/suggestions/history.ts";

const FILE = "test/runtime/reading/suggesting/suggestions.test.ts";
const HOSTILE = [...KNOWN, ...OWN].flatMap(({ safe, hostile }) => [...safe, ...hostile]);
const FILES = ["a", "b", "c", "d", "e", "f", "g", ".env", "../../x", "../../../etc/passwd"] as const;

const command = fc.oneof(
  fc.constantFrom("npm test", "git status", "ls", "rm -rf x", "git push --force", "ls | wc -l"),
  fc.constantFrom(...FILES).map((name) => `cat src/${name}.ts`),
  fc.constantFrom(...FILES).map((name) => `git diff ${name}`),
  fc.constantFrom(...HOSTILE),
);
const one: fc.Arbitrary<Past> = fc.oneof(
  fc.record({
    input: command.map((text) => ({ command: text })),
    answer: fc.constantFrom<Past["answer"][]>(
      "approved",
      "approved",
      "approved",
      "approved",
      "approved",
      "denied",
    ),
  }),
  fc.record({
    tool: fc.constantFrom("Edit", "Read"),
    input: fc.constantFrom(...FILES).map((name) => ({ file_path: `${FOLDER}/src/${name}.ts` })),
    answer: fc.constantFrom<Past["answer"][]>("approved", "approved", "approved", "denied", "expired"),
  }),
);
const history = fc
  .array(fc.tuple(one, fc.integer({ min: 1, max: 7 })), { minLength: 5, maxLength: 60 })
  .map((all) => all.flatMap(([past, times]) => Array.from({ length: times }, () => past)));

const rulesIn = ({ items }: Suggestions): readonly RuleTerms[] =>
  items.map(({ rule: { forMs: _, ...terms } }) => terms);
const of = async (pasts: readonly Past[]): Promise<Suggestions> =>
  suggested(await readerOf(pasts.map(pastOf)));
const textsOf = ({ items }: Suggestions): readonly string[] =>
  items.map(({ rule: { match } }) => (match && "text" in match ? match.text : "exact"));
const files = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `cat src/f${n}.ts`);

describe("suggestions", () => {
  test("SUGGESTIONS-2, SUGGESTING-DENIALS-1: none allows what a person denied, in whatever history", async () => {
    await holdsLater(FILE, 60, history, async (pasts) => {
      const rules = rulesIn(await of(pasts));
      for (const [n, past] of pasts.entries())
        if (past.answer === "denied")
          expect(rulingOf(rules, withMarks(pastOf(past, n)), NOTHING_GUARDED)).toBeUndefined();
    });
  });

  test("SUGGESTIONS-2, MARKED-1: none allows a call with a risk's mark, whatever is put where it is open", async () => {
    const pasts = [
      ...bashOf([...files(6), ...files(6)]),
      ...bashOf(["npm test", "ls"].flatMap((each) => Array<string>(6).fill(each))),
    ];
    const rules = rulesIn(await of(pasts));
    expect(rules.length).toBeGreaterThanOrEqual(3);
    const fillers = ["../../../etc/passwd", ".env", "../../x", "id_rsa", ".ssh/x", ...HOSTILE];
    const calls = [
      ...HOSTILE,
      ...fillers.flatMap((each) => [`cat src/${each}.ts`, `cat src/${each}`, `npm test ${each}`]),
    ];
    let marked = 0;
    for (const [n, text] of calls.entries()) {
      if (risksOf("Bash", { command: text }, FOLDER).length === 0) continue;
      marked += 1;
      const call = withMarks(pastOf({ input: { command: text }, answer: "expired" }, n));
      expect([text, rulingOf(rules, call, NOTHING_GUARDED)]).toEqual([text, undefined]);
    }
    expect(marked).toBeGreaterThan(100);
  });

  test("MARKED-1: a rule that asks for no mark allows nothing where nobody can say", () => {
    const rule: RuleTerms = {
      effect: "allow",
      tool: "Bash",
      match: { kind: "glob", text: "ls" },
      unmarked: true,
    };
    const [past] = bashOf(["ls"]).map(pastOf);
    if (!past) throw new Error("none was made");
    expect(rulingOf([rule], past, NOTHING_GUARDED)).toBeUndefined();
    expect(rulingOf([rule], withMarks(past), NOTHING_GUARDED)?.effect).toBe("allow");
  });

  test("SUGGESTIONS-2: shells of other clients that hide a command get no rule from it", async () => {
    for (const { tool, input, isMeant } of ODD) {
      if (isMeant) continue;
      const pasts = Array.from({ length: 6 }, (): Past => ({ tool, input, answer: "approved" }));
      // Without the form of its client each is its own input at most.
      for (const rule of rulesIn(await of(pasts)))
        expect(rule.match).toEqual({ kind: "exact", inputHash: toolInput(input).hash });
    }
  });

  test("SUGGESTIONS-3, SUGGESTING-CANDIDATES-2: the same answers give the same bytes, in whatever order", async () => {
    await holdsLater(FILE, 30, fc.tuple(history, fc.infiniteStream(fc.nat())), async ([pasts, noise]) => {
      const kept = pasts.map((past, n) => pastOf({ ...past, at: 1_000 }, n));
      const mixed = kept
        .map((past) => ({ past: { ...past, approvalId: `x${noise.next().value}-${past.approvalId}` } }))
        .map(({ past }) => past);
      const bare = async (all: typeof kept): Promise<string> => {
        const { items } = await suggested(await readerOf(all));
        return JSON.stringify(
          items.map(({ trial: { items: _, ...counts }, ...rest }) => ({ ...rest, counts })),
        );
      };
      expect(await bare(mixed)).toBe(await bare(kept));
    });
  });

  test("SUGGESTIONS-4, SUGGESTING-TRIALS-1: each says what a trial of its rule says", async () => {
    await holdsLater(FILE, 20, history, async (pasts) => {
      const reader = await readerOf(pasts.map(pastOf));
      for (const { rule, trial: told } of (await suggested(reader)).items) {
        const { forMs: _, ...terms } = rule;
        const scope = { workspace: TEAM, since: 0, limit: 3, guarded: NOTHING_GUARDED };
        expect(told).toEqual(await ended(trialInSlices(reader, [terms], scope)));
        expect(told.differing).toBe(0);
      }
    });
  });

  test("SUGGESTING-CANDIDATES-1: fewer than five different answers open nothing, however often they came", async () => {
    const four = [...files(4), ...files(4), ...files(4), ...files(4), ...files(4)];
    expect(textsOf(await of(bashOf(four))).filter((text) => text.includes("*"))).toEqual([]);
    expect(textsOf(await of(bashOf(files(5))))).toEqual(["cat src/*.ts"]);
  });

  test("SUGGESTING-CANDIDATES-1: five answers of one session open nothing", async () => {
    expect((await of(bashOf([...files(9), ...files(9)], "approved", { session: "s1" }))).items).toEqual([]);
  });

  test("SUGGESTING-PATTERNS-1: no program, subcommand, option or unknown program is opened", async () => {
    const names = Array.from({ length: 7 }, (_, n) => `n${n}`);
    for (const make of [
      (name: string) => `${name} status`,
      (name: string) => `git ${name}`,
      (name: string) => `npm run ${name}`,
      (name: string) => `bin/${name}.sh`,
      (name: string) => `bash bin/${name}.sh`,
      (name: string) => `env bin/${name}.sh`,
      (name: string) => `ls --${name}=x.y`,
      (name: string) => `unknownprogram run a/${name}.x`,
    ])
      expect([make("*"), (await of(bashOf(names.map(make)))).items]).toEqual([make("*"), []]);
  });

  test("SUGGESTING-DENIALS-2, SUGGESTING-PATTERNS-2: a denial of the same program keeps its words closed, elsewhere too", async () => {
    const denied = bashOf(["cat src/other/x.ts"], "denied", { cwd: "/elsewhere", session: "s9" });
    expect(await of([...bashOf(files(8)), ...denied])).toMatchObject({ items: [] });
    const edit = (name: string, answer: Past["answer"], tool = "Edit"): Past => ({
      ...{ tool, answer },
      input: { file_path: `${FOLDER}/src/${name}.ts` },
    });
    const edits = ["a", "b", "c", "d", "e", "f"].map((name) => edit(name, "approved"));
    expect(textsOf(await of(edits))).toEqual([`${FOLDER}/src/*.ts`]);
    expect((await of([...edits, edit("Z", "denied", "Write")])).items).toEqual([]);
  });

  test("SUGGESTING-DENIALS-3: a denial without its input keeps its tool's patterns closed", async () => {
    const kept = [...bashOf(files(8)), ...bashOf(["x"], "denied")].map(pastOf);
    const lost = kept.map(({ input, ...past }) =>
      past.state === "denied" ? past : { ...past, ...(input && { input }) },
    );
    expect((await suggested(await readerOf(lost))).items).toEqual([]);
    expect(textsOf(await suggested(await readerOf(kept)))).toEqual(["cat src/*.ts"]);
  });

  test("SUGGESTING-ANSWER-1: answers of rules, models and nobody count for nothing", async () => {
    for (const by of ["rule:r_1", MODEL])
      expect((await of(bashOf([...files(9)], "approved", { by }))).items).toEqual([]);
    expect((await of(bashOf(files(9), "expired"))).items).toEqual([]);
  });

  test("SUGGESTING-WIDTH-1: each call that it is said to allow is allowed, and there are three where it is open", async () => {
    const { items } = await of(bashOf(files(6)));
    const { width = [], rule } = items[0] ?? {};
    expect(width).toHaveLength(3);
    for (const [n, text] of width.entries()) {
      const call = withMarks(pastOf({ input: { command: text }, answer: "expired" }, n));
      expect(rulingOf(rule ? [rule] : [], call, NOTHING_GUARDED)?.effect).toBe("allow");
    }
  });

  test("SUGGESTIONS-6: the note of a rule for the very input tells its beginning in one line, and is no longer than a note may be", async () => {
    const find = (q: string): readonly Past[] =>
      Array.from({ length: 6 }, () => ({ tool: "mcp__docs__find", input: { q }, answer: "approved" }));
    const { items } = await of([...find("cats"), ...find("\u{1f600}\n".repeat(400)), ...bashOf(files(6))]);
    const notes = items.map(({ rule }) => [rule.match?.kind, rule.note ?? ""] as const);
    expect(notes.map(([kind, note]) => [kind, note.includes("The input:")]).toSorted()).toEqual([
      ["exact", true],
      ["exact", true],
      ["glob", false],
    ]);
    expect(notes.some(([, note]) => note.endsWith('The input: {"q":"cats"}'))).toBe(true);
    for (const [, note] of notes) {
      expect(note.length).toBeLessThanOrEqual(500);
      expect(note).not.toContain("\n");
    }
  });

  test("SUGGESTIONS-1: simulated teams are asked less, and nothing is allowed that they denied", async () => {
    const counts = await evaluateTeam(7);
    expect(counts.wronglyAllowed).toBe(0);
    expect(counts.answered / counts.asked).toBeGreaterThan(0.4);
  });

  test("SUGGESTIONS-1: of recorded agents every second session teaches what the others ask, and nothing that was denied", async () => {
    const counts = await evaluateAlternate(1);
    expect(counts.wronglyAllowed).toBe(0);
    expect(counts.answered / counts.asked).toBeGreaterThan(0.3);
  });
});
