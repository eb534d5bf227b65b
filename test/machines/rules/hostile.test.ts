// Hostile
// Each command that a rule allows, run by a shell where every program is a stub: it ran that program, with those words, and
// nothing else.

import { describe, expect, test } from "vitest";
import { commandRule, saidOf } from "../../support/rules/terms.ts";
import { type Attack, KNOWN, OWN, programsOf } from "../../support/rules/hostile.ts";
import { ranOnPath, type Shell } from "../../support/rules/shells.ts";

const PROGRAMS = programsOf([...KNOWN, ...OWN]);

const commandsOf = ({ safe, hostile }: Attack): readonly string[] => [...new Set([...safe, ...hostile])];
const allowedOf = (attack: Attack): readonly string[] =>
  commandsOf(attack).filter(
    (command) => saidOf([commandRule("allow", attack.text, attack.kind)], command) === "allow",
  );

/** What a rule's text says of an argument list, word by word. */
function saysSo({ kind, text }: Attack, argv: readonly string[]): boolean {
  const wanted = text.split(" ");
  const isOpen = kind === "prefix" || wanted.at(-1) === "*";
  const fixed = wanted.at(-1) === "*" ? wanted.slice(0, -1) : wanted;
  if (isOpen ? argv.length < fixed.length : argv.length !== fixed.length) return false;
  return fixed.every((word, n) => {
    const [start = "", end] = word.split("*");
    const given = argv[n] ?? "";
    return end === undefined ? given === word : given.startsWith(start) && given.endsWith(end);
  });
}

describe.each<readonly [string, readonly Attack[], number]>([
  ["the known attacks", KNOWN, 220],
  ["300 others", OWN, 300],
])("%s", (_, attacks, least) => {
  test.each<Shell>(["bash", "dash"])(
    "COMMAND-MATCH-1, I-51: what is allowed runs one program with the words of the rule in %s",
    (shell) => {
      expect(new Set(attacks.flatMap(commandsOf)).size).toBeGreaterThanOrEqual(least);
      for (const attack of attacks)
        for (const command of allowedOf(attack)) {
          const { ran, left } = ranOnPath(shell, command, PROGRAMS);
          expect([command, ran.length, left]).toEqual([command, 1, []]);
          expect([command, saysSo(attack, ran[0] ?? [])]).toEqual([command, true]);
        }
    },
    120_000,
  );
});

test("COMMAND-MATCH-1, COMMAND-MATCH-4: what a rule is for is allowed, and nothing else", () => {
  for (const attack of [...KNOWN, ...OWN])
    expect([attack.text, allowedOf(attack)]).toEqual([attack.text, [...new Set(attack.safe)]]);
});
