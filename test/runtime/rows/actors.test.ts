// Actors
// What a machine may do to the turn that hosts it.

import { expect, test } from "vitest";
import { toolInput } from "../../../runtime/canonical.ts";
import { begin, move } from "../../../runtime/rows/actors.ts";

const question = {
  id: "a1",
  at: 1,
  channel: "test",
  tool: "Bash",
  input: toolInput({ command: "ls" }),
};

test("ACTORS-4: a machine that cannot begin fails the turn", () => {
  const broken = new Proxy(question, {
    ownKeys: () => {
      throw new Error("torn");
    },
  });
  expect(() => begin("approval", broken)).toThrow(expect.objectContaining({ code: "NOT_ACTIVE" }));
});

test("ACTORS-2: an event that selects no transition is illegal and changes nothing", () => {
  const { snapshot, legal } = begin("approval", question);
  expect(legal).toBe(true);
  const denied = move("approval", snapshot, { type: "decided", decision: "deny", by: "ann", at: 2 } as never);
  expect(denied).toMatchObject({ legal: true, snapshot: { value: "denied" } });
  const again = move("approval", denied.snapshot, { type: "lapsed", at: 3, nothing: "of ours" } as never);
  const unknown = move("approval", denied.snapshot, { type: "exploded" });
  expect(unknown).toEqual({ snapshot: denied.snapshot, effects: [], legal: false });
  expect(again.snapshot.value).toBe("denied");
});
