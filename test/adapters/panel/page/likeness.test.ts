// Likeness
// What a card offers for a rule to allow.

import { expect, test } from "vitest";
import { likenessesOf } from "../../../../adapters/panel/page/inbox/bulk/likeness.ts";
import { flawOf } from "../../../../machines/index.ts";

const offered = (tool: string, input: unknown) =>
  likenessesOf(tool, input).map(({ kind, text }) => (kind === "exact" ? kind : text));

test.each([
  ["Bash", { command: "git status -s" }, ["exact", "git status"]],
  ["Monitor", { command: "npm test" }, ["exact", "npm test"]],
  ["Bash", { command: "ls -l a" }, ["exact", "ls -l a"]],
  ["Bash", { command: "git -C x push" }, ["exact", "git -C x push"]],
  ["Bash", { command: "git status; rm -rf x" }, ["exact"]],
  ["Bash", { command: "echo $(id)" }, ["exact"]],
  ["PowerShell", { command: "git status" }, ["exact"]],
  ["REPL", { code: "1" }, ["exact"]],
  ["Write", { file_path: "/repo/src/a.ts" }, ["exact", "/repo/src"]],
  ["Write", { file_path: "/repo/package.json" }, ["exact", "/repo/package.json"]],
  ["Edit", { file_path: "/repo/.git/hooks/pre-commit" }, ["exact", "/repo/.git/hooks/pre-commit"]],
  ["Read", { file_path: "/repo/package.json" }, ["exact", "/repo"]],
  ["WebFetch", { url: "https://x" }, ["exact"]],
])("LIKENESS-1: of %s %j: %j", (tool, input, texts) => {
  expect(offered(tool, input)).toEqual(texts);
  const [, wide] = likenessesOf(tool, input);
  if (wide && wide.kind !== "exact")
    expect(flawOf({ effect: "allow", tool, match: { kind: wide.kind, text: wide.text } })).toBeUndefined();
});
