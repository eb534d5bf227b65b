// Shell words
// What a text is taken for, against what real shells make of it.

import { describe, expect, test } from "vitest";
import { COMMAND_MAX, looseParts, plainWords } from "../../../machines/rules/shell-words.ts";
import { samples } from "../../support/properties/property.ts";
import { ranBy, type Shell, wordsBy } from "../../support/rules/shells.ts";
import { anyText, likelyPlain, smuggling, tempting } from "../../support/rules/texts.ts";

const SHELLS: readonly Shell[] = ["bash", "dash"];

describe("a plain command", () => {
  test.each(SHELLS)("SHELL-WORDS-1: has the words that %s sees in it", (shell) => {
    const texts = [...samples(3_000, likelyPlain), ...samples(3_000, tempting), ...samples(2_000, anyText)];
    const plain = texts.flatMap((text) => {
      const words = plainWords(text);
      return words ? [{ text, words }] : [];
    });
    expect(plain.length).toBeGreaterThan(1_000);
    const seen = wordsBy(
      shell,
      plain.map(({ text }) => text),
    );
    const wrong = plain.filter(({ words }, n) => JSON.stringify(words) !== JSON.stringify(seen[n]));
    expect(wrong).toEqual([]);
    expect(seen).toHaveLength(plain.length);
  });

  test.each([
    ...["git status; rm x", "git status && rm x", "git status | sh", "git status & rm x", "git status\nrm x"],
    ...[
      "git status\rrm x",
      "git $(rm x)",
      "git `rm x`",
      "git $X",
      'git "$X"',
      "git > x",
      "git < x",
      "git 2>&1",
    ],
    ...[
      "git *",
      "git ?",
      "git [a]",
      "git {a,b}",
      "git ~/x",
      "git HEAD^",
      "git !x",
      "git # x",
      "git \\; x",
      "X=1 git",
    ],
    ...[
      "git =ls",
      "git 'a",
      'git "a',
      "git\u00a0x",
      "git 'é'",
      'git "a!b"',
      "git 'a''b'",
      "git \0",
      "",
      " ",
      "''",
    ],
    ...[
      "time git x",
      "if git",
      "coproc git",
      "function git",
      "noglob git",
      "repeat 3 git",
      "%1",
      "%1 x",
      "select git",
      "- git",
    ],
    `git ${"x".repeat(COMMAND_MAX)}`,
  ])("SHELL-WORDS-1: is not %j", (text) => {
    expect(plainWords(text)).toBeUndefined();
  });
});

describe("a text read loosely", () => {
  /** Ways to run `rm x`, some of them behind what a reader of first words would stop at. */
  const HIDDEN = [
    ...[
      "rm x",
      "ls; rm x",
      "true && rm x",
      "ls || rm x",
      "ls | rm x",
      "ls & rm x",
      "ls\nrm x",
      "(rm x)",
      "{ rm x; }",
    ],
    ...[
      "$(rm x)",
      "`rm x`",
      'ls "$(rm x)"',
      'ls "`rm x`"',
      "! rm x",
      "X=1 rm x",
      "if true; then rm x; fi",
      "r''m x",
    ],
    ...[
      "\\rm x",
      "r\\m x",
      '"rm" x',
      "'rm' x",
      "rm$IFS'x'",
      "rm ${X}x",
      "eval 'rm x'",
      'eval "rm x"',
      "eval rm x",
    ],
    ...[
      "rm\\\n x",
      "r\\\nm x",
      "while rm x; do break; done",
      "f() { rm x; }; f",
      "$'rm' x",
      "eval eval 'rm x'",
    ],
    ...["case a in a) rm x;; esac", "ls;rm x", "ls>&2;rm x", "trap 'rm x' EXIT", 'eval "eval \\"rm x\\""'],
    ...[
      "for each in 1; do rm x; done",
      "{ { rm x; }; }",
      "cat <<< $(rm x)",
      ": ${X:=$(rm x)}",
      "eval {rm,x}",
    ],
  ];

  test.each(HIDDEN)("SHELL-WORDS-2: shows what bash runs in %j", (text) => {
    expect(ranBy("bash", text, ["rm"])).not.toEqual([]);
    const words = looseParts(text)?.flat() ?? [];
    expect(words).toContain("rm");
  });

  test("SHELL-WORDS-2: shows every program of a plain name that bash runs in any text", () => {
    const texts = samples(150, smuggling).filter((text) => !text.includes("\0"));
    const ran = texts.filter((text) => ranBy("bash", text, ["rm", "git"]).some(([name]) => name === "rm"));
    expect(ran.length).toBeGreaterThan(25);
    expect(ran.filter((text) => !looseParts(text)?.flat().includes("rm"))).toEqual([]);
  });

  test("SHELL-WORDS-2: is not read if it is too long or too deeply nested", () => {
    const nested = (depth: number): string =>
      depth === 0 ? "rm x" : `eval "${nested(depth - 1).replace(/[\\"]/g, "\\$&")}"`;
    expect(looseParts("x".repeat(COMMAND_MAX + 1))).toBeUndefined();
    expect(looseParts(";".repeat(5_000))).toBeUndefined();
    expect(looseParts(nested(3))?.flat()).toContain("rm");
    expect(looseParts(nested(8))).toBeUndefined();
  });
});
