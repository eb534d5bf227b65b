// Subjects
// Reading the origin of an input back from its subject.

import fc from "fast-check";
import { expect, test } from "vitest";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { holds } from "../../support/properties/property.ts";

const FILE = "test/runtime/rows/subjects.test.ts";

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const token = fc.oneof({ weight: 4, arbitrary: id }, fc.constantFrom("*", ">", "", "a b", "a\r\nb", "é"));

test("SUBJECTS-2: a subject that was built is read back as its parts", () => {
  holds(FILE, 300, fc.tuple(id, id, id, id), ([workspace, session, family, name]) => {
    const type = `${family}.${name}`;
    expect(subjects.readInput(subjects.input(workspace, session, type))).toEqual({
      door: "in",
      workspace,
      session,
      type,
    });
    expect(subjects.readInput(subjects.own(workspace, session, type))).toEqual({
      door: "own",
      workspace,
      session,
      type: `${family}-${name}`,
    });
  });
});

test("SUBJECTS-2: any other subject is read as none", () => {
  const door = fc.constantFrom("in", "own", "state", "decide", "query");
  const parts = fc.tuple(door, fc.array(token, { maxLength: 5 }));
  holds(FILE, 1_000, parts, ([first, tokens]) => {
    const subject = ["signalbox.v1", first, ...tokens].join(".");
    const found = subjects.readInput(subject);
    if (found === undefined) return;
    const { workspace, session, type } = found;
    const build = found.door === "in" ? subjects.input : subjects.own;
    expect(build(workspace, session, type)).toBe(subject);
  });
  expect(subjects.readInput("signalbox.v1.state.w.s.call.c")).toBeUndefined();
  expect(subjects.readInput("signalbox.v2.in.w.s.tool.started")).toBeUndefined();
  expect(subjects.readInput("signalbox.v1.in.w.*.tool.started")).toBeUndefined();
});
