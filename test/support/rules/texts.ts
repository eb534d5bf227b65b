// Texts
// Commands and paths as an agent might write them, harmless and hostile.
//
//   Owns:          generating them.
//   Does not own:  what rules make of them.

import fc from "fast-check";

const HOSTILE = [
  ...[";", "&&", "||", "|", "&", "|&", ";;", "\n", "\r", "\r\n", "\0", "\x1b", "\x7f", "\v", "\f"],
  ...["$(rm -rf /)", "`rm -rf /`", "$X", "${X}", "${X:-rm}", "$'rm'", '$"rm"', "$((1))", "$IFS", "$1", "$@"],
  ...[">", ">>", "<", "<<EOF", "<<<x", "2>&1", ">&2", ">|x", "<(rm x)", ">(rm x)", "&>x"],
  ...["*", "?", "[a]", "{a,b}", "~", "~root", "^", "!", "!!", "#", "# x", "\\", "\\\n", "\\ ", "=ls", "%1"],
  ...["X=1", "PATH=/x", "a+=1", "(", ")", "{", "}", "((", "[[", "]]", "if", "then", "fi", "function"],
  ...[
    "\u00a0",
    "\u2028",
    "\u3000",
    "\ufeff",
    "é",
    "＄(rm)",
    "；",
    "\ud800",
    "'",
    '"',
    "''",
    '""',
    "'a'",
    '"a b"',
  ],
];
const HARMLESS = [
  "git",
  "status",
  "log",
  "rm",
  "-rf",
  "/",
  "--all",
  "a=b",
  "HEAD",
  "x.ts",
  "a/b",
  "-",
  "1",
  "a,b",
  "@",
  "%",
];

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HARMLESS) },
  { weight: 4, arbitrary: fc.constantFrom(" ", " ", "  ", "\t") },
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4, unit: "binary" }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6, unit: "grapheme-ascii" }) },
);

/** Any text, most of it made of what shells give a meaning. */
export const anyText = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));

/** One that begins as the rules of these tests allow it. */
export const tempting = fc
  .tuple(fc.constantFrom("git status", "git log", "git log -1", " git status", "'git' log"), anyText)
  .map(([start, rest]) => start + rest);

/** One that is likely to run `rm` somewhere behind. */
export const smuggling = fc
  .tuple(tempting, fc.constantFrom(";", " && ", " || ", "|", "\n", " $(", " `", "&", "\t"), anyText)
  .map(([start, joint, rest]) => `${start}${joint}rm x${rest}`);

/** One that is likely to be plain. */
export const likelyPlain = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HARMLESS),
      fc.stringMatching(/^[abcABC019_@%+=:,./-]{0,5}$/),
      fc.string({ maxLength: 5, unit: "grapheme-ascii" }).map((text) => `'${text}'`),
      fc.string({ maxLength: 5, unit: "grapheme-ascii" }).map((text) => `"${text}"`),
      fc.constantFrom("a'b'c", `"a"'b'`, "''", `""`),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(" "));

const NAMES = [
  "repo",
  "src",
  "a.ts",
  ".env",
  "..",
  ".",
  "",
  "...",
  "a*",
  "**",
  "REPO",
  "é",
  "a\\b",
  "x\0",
  "~",
  "[id]",
];

export const anyPath = fc
  .tuple(
    fc.constantFrom("/", "/repo/", "", "~/", "//", "./"),
    fc.array(fc.constantFrom(...NAMES), { maxLength: 6 }),
  )
  .map(([start, names]) => start + names.join("/"));
