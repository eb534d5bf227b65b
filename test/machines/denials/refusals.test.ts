// Refusals
// What the client's list shows of what the model was told, and which calls without a result that makes denied ones.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Input, ListedCall } from "../../../machines/inputs.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { holds } from "../../support/properties/property.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const FILE = "test/machines/denials/refusals.test.ts";

const ref = (id: string) => ({ toolUseId: id, tool: "Bash", input: toolInput({ command: id }) });
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const pre = (id: string): Input => ({ type: "tool.started", call: ref(id) });
const post = (id: string): Input => ({ type: "tool.finished", call: ref(id), output: `of ${id}` });
const ask = (id: string): Input => ({ type: "approval.requested", call: ref(id), channel: "hook" });
const deferred = (id: string): Input => ({ type: "tool.deferred", call: ref(id) });
const yes = (id: string): Input => ({
  type: "approval.answered",
  call: ref(id),
  decision: "approve",
  by: "terminal",
});
const told = (id: string, what: ListedCall["told"]): Input => ({
  type: "tool.batch",
  calls: [{ ...ref(id), ...(what && { told: what }) }],
});

const ended = (...inputs: readonly Input[]): readonly string[] => new SessionRun().tell(...inputs).ends;
const NO_RESULT = "a missing-post unreported";
const DENIED = "a denied inferred";

describe("a call that began and is listed without a result", () => {
  test("C4: was denied where the client says that it refused it", () => {
    expect(ended(prompt, pre("a"), told("a", "refusal"))).toEqual([DENIED]);
  });

  test("C4: ran, and its result was lost, where the model was told what only a tool at work says", () => {
    expect(ended(prompt, pre("a"), told("a", "output"))).toEqual([NO_RESULT]);
    expect(ended(prompt, pre("a"), ask("a"), told("a", "output"))).toEqual([NO_RESULT]);
  });

  test("C4: any other text is a refusal only where somebody was asked, and is not known to have allowed it", () => {
    expect(ended(prompt, pre("a"), told("a", "text"))).toEqual([NO_RESULT]);
    expect(ended(prompt, pre("a"), ask("a"), told("a", "text"))).toEqual([DENIED]);
    expect(ended(prompt, pre("a"), ask("a"), yes("a"), told("a", "text"))).toEqual([NO_RESULT]);
  });

  test("C4: was allowed, and nobody knows more, where the list does not show what the model was told", () => {
    expect(ended(prompt, pre("a"), ask("a"), yes("a"), told("a", undefined))).toEqual([NO_RESULT]);
    expect(ended(prompt, pre("a"), told("a", undefined))).toEqual([DENIED]);
  });

  test("C2, C4: was put off, and no list closes it", () => {
    for (const order of [
      [deferred("a"), told("a", "text")],
      [told("a", "refusal"), deferred("a")],
    ])
      expect(ended(prompt, pre("a"), ...order)).toEqual(["a queued"]);
  });

  test("C2, C4: was put off and taken up again: the lists of its request are whole, and the others are judged", () => {
    const list: Input = { type: "tool.batch", calls: [ref("a"), ref("b")] };
    const run = new SessionRun().tell(prompt, pre("b"), list, deferred("a"));
    expect(run.ends).toEqual(["b missing-post unreported", "a queued"]);
    run.tell(pre("a"));
    expect(run.ends).toEqual(["b denied inferred", "a processing"]);
  });
});

describe("I-24", () => {
  test("I-24, C4: that somebody was asked, and allowed it, counts whenever it is heard", () => {
    const list = told("a", "text");
    expect(ended(prompt, list, pre("a"), ask("a"))).toEqual([DENIED]);
    expect(ended(prompt, pre("a"), ask("a"), list, yes("a"))).toEqual([NO_RESULT]);
    const run = new SessionRun().tell(prompt, pre("a"), ask("a"), list, yes("a"), post("a"));
    expect(run.ends).toEqual(["a completed"]);
    expect(run.calls[0]?.context.executedAfterDenial).toBeUndefined();
  });

  test("I-24, C4: a call that was asked about comes to the same end in whatever order its start, its question's answer and its list are told", () => {
    const truths = fc.record({
      what: fc.constantFrom<ListedCall["told"]>(undefined, "refusal", "output", "text"),
      isAllowed: fc.boolean(),
      hasRun: fc.boolean(),
      shuffle: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
    });
    holds(FILE, 200, truths, ({ what, isAllowed, hasRun, shuffle }) => {
      const question: Input = { ...ask("a"), approvalId: "g1" } as Input;
      const answer: Input = { ...yes("a"), approvalId: "g1" } as Input;
      const asked = isAllowed ? [question, answer] : [question];
      const others = [pre("a"), told("a", what), ...(hasRun ? [post("a")] : [])];
      const slots = others.map((input, index) => ({ input, at: shuffle[index] ?? 0 }));
      // An answer cannot come before its question.
      const places = [shuffle[3] ?? 0, shuffle[4] ?? 0].sort((one, two) => one - two);
      const all = [...slots, ...asked.map((input, index) => ({ input, at: places[index] ?? 0 }))];
      const order = all.toSorted((one, two) => one.at - two.at).map(({ input }) => input);
      const isDenied = what === "refusal" || (what !== "output" && !isAllowed);
      const end = hasRun ? "a completed" : isDenied ? DENIED : NO_RESULT;
      expect(ended(prompt, ...order)).toEqual([end]);
    });
  });
});

describe("a failure in the client's words for a refusal", () => {
  const worded = (of: readonly string[]): Input => ({
    type: "tool.failed",
    call: ref("a"),
    error: "the user said no",
    worded: { verdict: "user", of },
  });

  test("C4, C2: is a denial of the tools that cannot say so themselves, until something shows that they ran", () => {
    expect(ended(prompt, pre("a"), worded(["Bash"]))).toEqual(["a denied direct"]);
    // It is only concluded, so nothing follows from it.
    const two = new SessionRun({ policy: { cascade: "strict" } });
    two.tell(prompt, pre("a"), { type: "tool.announced", call: ref("b") });
    two.tell(worded(["Bash"]), post("a"), post("b"));
    expect(two.ends).toEqual(["a completed", "b completed"]);
    const lost: Input = { type: "tool.lost", call: { toolUseId: "a" }, cause: "killed" };
    for (const order of [
      [lost, worded(["Bash"])],
      [worded(["Bash"]), lost],
    ])
      expect(ended(prompt, pre("a"), ...order)).toEqual(["a missing-post killed"]);
    expect(ended(prompt, pre("a"), worded(["Edit"]))).toEqual(["a failed"]);
    expect(ended(prompt, pre("a"), worded(["Bash"]), post("a"))).toEqual(["a completed"]);
    expect(ended(prompt, pre("a"), post("a"), worded(["Bash"]))).toEqual(["a completed"]);
  });
});
