// Gist: the line by which people recognise a call.

import { expect, it } from "vitest";
import { gistOf } from "../../../runtime/text/gist.ts";

it.each([
  ["the tool's field before a usual one", { command: "x", skill: "deploy" }, "Skill", "deploy"],
  ["a usual field before the first text", { note: "n", file_path: "/a" }, "Mine", "/a"],
  ["the first text", { n: 1, note: "n", other: "o" }, "Mine", "n"],
  ["the whole input where it has no text", { n: 1 }, "Mine", '{"n":1}'],
  ["a usual field where the tool's is empty or no text", { file_path: "", path: "/b" }, "Read", "/b"],
  ["a text alone, as JSON", "hello", "Mine", '"hello"'],
  ["a number alone", 7, "Mine", "7"],
  ["nothing of no input", undefined, "Bash", ""],
  ["nothing of an inherited field", Object.create({ command: "x" }) as object, "Bash", "{}"],
])("GIST-1: it is %s", (_, input, tool, gist) => {
  expect(gistOf(input, tool)).toBe(gist);
});

it("GIST-1: a long one is cut", () => {
  expect(gistOf({ command: "x".repeat(1_000) }, "Bash")).toBe(`${"x".repeat(300)}…`);
});
