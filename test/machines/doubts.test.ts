// Doubts
// Calls that end without a word of their own: what the client's list, its general rejection and its deferrals tell of them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Input } from "../../machines/index.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { holds } from "../support/properties/property.ts";
import { SessionRun } from "../support/sessions/session-run.ts";

const FILE = "test/machines/doubts.test.ts";

const ref = (id: string) => ({ toolUseId: id, tool: "Bash", input: toolInput({ command: id }) });
const prompt: Input = { type: "prompt.submitted", promptId: "p1", text: "go" };
const pre = (id: string): Input => ({ type: "tool.started", call: ref(id) });
const post = (id: string): Input => ({ type: "tool.finished", call: ref(id), output: `of ${id}` });
const failure = (id: string): Input => ({ type: "tool.failed", call: ref(id), error: "Exit code 1" });
const listed = (...ids: readonly string[]): Input => ({ type: "tool.batch", calls: ids.map(ref) });
const stop: Input = { type: "turn.stopped", outcome: "completed" };
const rejected = (id: string, more: object = {}): Input => ({
  type: "tool.denied",
  call: { toolUseId: id },
  verdict: "rejected",
  ...more,
});
const ask = (id: string): Input => ({ type: "approval.requested", call: ref(id), channel: "hook" });

const ended = (...inputs: readonly Input[]): readonly string[] => new SessionRun().tell(...inputs).ends;

describe("a call that only the client's list names", () => {
  test("C3: it has no result, until one comes", () => {
    const run = new SessionRun().tell(prompt, listed("a"));
    expect(run.ends).toEqual(["a missing-post unreported"]);
    run.tell(post("a"));
    expect(run.ends).toEqual(["a completed"]);
    expect(run.calls[0]?.context.was).toBe("missing-post");
  });

  test("C3, S0.11: it takes the result that waits for it", () => {
    const run = new SessionRun().tell(prompt, post("a"), listed("a"));
    expect(run.ends).toEqual(["a completed"]);
    expect(run.calls[0]?.context).toMatchObject({ output: "of a" });
    run.tell({ type: "session.ended" });
    expect(run.calls).toHaveLength(1);
  });

  test("C3: it failed where the list says so, and that is no denied call's run", () => {
    const broken: Input = { type: "tool.batch", calls: [{ ...ref("a"), error: "no such tool" }] };
    expect(ended(prompt, broken)).toEqual(["a failed"]);
    const denied: Input = { type: "tool.denied", call: ref("a"), verdict: "hook" };
    const run = new SessionRun().tell(prompt, pre("a"), denied, broken);
    expect(run.ends).toEqual(["a denied hook"]);
    expect(run.calls[0]?.context.executedAfterDenial).toBeUndefined();
  });
});

describe("a call that began, is listed, and has no result", () => {
  test("C4: it was denied, and the denial says that it is inferred, and from what", () => {
    const run = new SessionRun({ policy: { cascade: "interrupt" } });
    run.tell(prompt, pre("a"), post("a"), pre("b"), listed("a", "b"), stop);
    expect(run.ends).toEqual(["a completed", "b denied inferred"]);
    const { denial, observed } = run.calls[1]?.context ?? {};
    expect([denial, observed]).toEqual([
      { cause: "inferred", inferredFrom: "batch", predicted: true },
      "unknown",
    ]);
  });

  test("C4, I-10: it brings nothing else down, under any policy", () => {
    for (const cascade of ["strict", "interrupt", "none"] as const) {
      const run = new SessionRun({ policy: { cascade } });
      run.tell(prompt, pre("a"), pre("b"), listed("a"));
      expect(run.ends, cascade).toEqual(["a denied inferred", "b processing"]);
    }
  });

  test("C4: nothing is inferred from a list that shows that messages were lost, until they come", () => {
    const run = new SessionRun().tell(prompt, pre("a"), post("b"), listed("a", "b"));
    expect(run.ends).toEqual(["a missing-post unreported", "b completed"]);
    run.tell(pre("b"));
    expect(run.ends).toEqual(["a denied inferred", "b completed"]);
  });

  test("C4, I-24: a later list of the request that shows that messages were lost takes the inference back, until they come", () => {
    const run = new SessionRun().tell(prompt, pre("a"), listed("a"), pre("b"), post("b"), post("c"));
    expect(run.ends).toEqual(["a denied inferred", "b completed"]);
    run.tell(listed("b", "c"));
    expect(run.ends).toEqual(["a missing-post unreported", "b completed", "c completed"]);
    run.tell(pre("c"));
    expect(run.ends).toEqual(["a denied inferred", "b completed", "c completed"]);
    const other: Input = { type: "prompt.submitted", promptId: "p2", text: "on" };
    run.tell(stop, other, post("d"), listed("d"));
    expect(run.ends).toEqual(["a denied inferred", "b completed", "c completed", "d completed"]);
  });

  test("I-01, C2: a call whose inferred denial was taken back takes its first result, like any that has none", () => {
    const run = new SessionRun().tell(prompt, pre("a"), listed("a"), listed("b"));
    expect(run.ends).toEqual(["a missing-post unreported", "b missing-post unreported"]);
    expect(run.calls[0]?.context.was).toBe("denied");
    run.tell(post("a"));
    expect(run.ends[0]).toBe("a completed");
    expect(run.calls[0]?.context.was).toBe("missing-post");
    run.tell(failure("a"), listed("a"));
    expect(run.ends[0]).toBe("a completed");
  });

  test("C4: what was told of a call meanwhile stays, where messages turn out to be lost", () => {
    const hook: Input = { type: "tool.denied", call: ref("a"), verdict: "hook" };
    const run = new SessionRun().tell(prompt, pre("a"), listed("a"), hook, post("c"), listed("c"));
    expect(run.ends).toEqual(["a denied hook", "c completed"]);
    const done = new SessionRun().tell(prompt, pre("a"), listed("a"), post("a"), post("c"), listed("c"));
    expect(done.ends).toEqual(["a completed", "c completed"]);
  });

  test("C2, C5: a result takes the inference back once, without an alarm", () => {
    const run = new SessionRun().tell(prompt, pre("a"), listed("a"), post("a"));
    expect(run.ends).toEqual(["a completed"]);
    expect(run.calls[0]?.context).toMatchObject({ was: "denied" });
    expect(run.calls[0]?.context.executedAfterDenial).toBeUndefined();
    run.tell(failure("a"));
    expect(run.ends).toEqual(["a completed"]);
  });

  test("C4: who denied it takes the place of the inference; the client's word that it was lost does too", () => {
    const inferred = [prompt, pre("a"), listed("a")];
    const hook: Input = { type: "tool.denied", call: ref("a"), verdict: "hook", message: "not here" };
    const run = new SessionRun().tell(...inferred, hook);
    expect(run.calls[0]?.context.denial).toEqual({
      cause: "hook",
      by: "hook",
      message: "not here",
      predicted: false,
    });
    const lost: Input = { type: "tool.lost", call: ref("a"), cause: "killed" };
    expect(ended(...inferred, lost)).toEqual(["a missing-post killed"]);
    expect(ended(prompt, pre("a"), lost, listed("a"))).toEqual(["a missing-post killed"]);
  });
});

interface Truth {
  readonly fates: readonly ("completed" | "failed" | "invalid" | "denied" | "hook")[];
  readonly shuffle: readonly number[];
}

/** Every message that could tell of a call of this fate. */
function evidence(id: string, fate: Truth["fates"][number]): readonly Input[] {
  const message: Input = { type: "tool.announced", call: ref(id), messageId: "m1" };
  switch (fate) {
    case "completed":
      return [message, pre(id), post(id)];
    case "failed":
      return [message, pre(id), failure(id)];
    case "invalid":
      return [message];
    case "denied":
      return [message, pre(id)];
    case "hook":
      return [message, pre(id), { type: "tool.denied", call: ref(id), verdict: "hook" }];
  }
}

const ENDS = {
  completed: "completed",
  failed: "failed",
  invalid: "failed",
  denied: "denied",
  hook: "denied",
};
const CAUSES = { denied: " inferred", hook: " hook", completed: "", failed: "", invalid: "" };

describe("I-24", () => {
  test("I-24, C3, C4: in whatever order a turn is told of, each of its calls comes to the same end, for the same cause", () => {
    const truths = fc.record({
      fates: fc.array(fc.constantFrom(...(Object.keys(ENDS) as Truth["fates"])), {
        minLength: 1,
        maxLength: 6,
      }),
      shuffle: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
    });
    const check = ({ fates, shuffle }: Truth): void => {
      const ids = fates.map((_, index) => `t${index}`);
      const list: Input = {
        type: "tool.batch",
        calls: ids.map((id, index) => ({
          ...ref(id),
          ...(fates[index] === "invalid" && { error: "no such tool" }),
        })),
      };
      const told = [...fates.flatMap((fate, index) => evidence(`t${index}`, fate)), list];
      const order = told
        .map((input, index) => ({ input, at: shuffle[index % shuffle.length] ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ input }) => input);
      const run = new SessionRun({ policy: { cascade: "interrupt" } }).tell(prompt, ...order, stop);
      const ends = fates.map((fate, index) => `t${index} ${ENDS[fate]}${CAUSES[fate]}`);
      expect([...run.ends].sort()).toEqual(ends);
    };
    holds(FILE, 500, truths, check);
  });

  test("I-24, C4: the client's list comes before what it lists, the turn's end before both, and it is the same", () => {
    for (const order of [
      [pre("a"), post("a"), pre("b"), listed("a", "b")],
      [listed("a", "b"), pre("a"), pre("b"), post("a")],
      [post("a"), listed("a", "b"), pre("b"), pre("a")],
      [pre("b"), listed("a", "b"), post("a"), pre("a")],
    ])
      expect([...ended(prompt, ...order, stop)].sort()).toEqual(["a completed", "b denied inferred"]);
    expect(ended(prompt, pre("b"), stop, listed("b"))).toEqual(["b denied inferred"]);
  });
});

describe("the client's general rejection", () => {
  const beforeRun = { beforeRun: true };
  const announced = (id: string): Input => ({ type: "tool.announced", call: ref(id), messageId: "m1" });

  test("C4: of calls that were asked about together, the first was denied, and the others fell with it", () => {
    const asked = ["a", "b", "c"].flatMap((id) => [announced(id), pre(id), ask(id)]);
    const run = new SessionRun({ policy: { cascade: "none" } });
    run.tell(prompt, ...asked, ...["a", "b", "c"].map((id) => rejected(id, beforeRun)));
    expect(run.ends).toEqual(["a denied direct", "b denied cascade", "c denied cascade"]);
  });

  test("C4: a call that was asked about at a terminal and may have run was interrupted; elsewhere nobody allowed it", () => {
    const asked = [prompt, announced("a"), pre("a"), ask("a")];
    const ran = { beforeRun: false };
    expect(ended(...asked, rejected("a", { ...ran, terminal: true }))).toEqual([
      "a missing-post interrupted",
    ]);
    expect(ended(...asked, rejected("a", { ...beforeRun, terminal: true }))).toEqual(["a denied direct"]);
    expect(ended(...asked, rejected("a", ran))).toEqual(["a denied direct"]);
  });

  test("C4: the client's list of denials says who was denied, whatever the order of the results says", () => {
    const results = ["a", "b"].map((id) => rejected(id));
    const named: Input = { type: "tool.denied", call: ref("b"), verdict: "listed" };
    const calls = [prompt, announced("a"), announced("b")];
    expect(ended(...calls, ...results)).toEqual(["a missing-post interrupted", "b denied cascade"]);
    expect(ended(...calls, ...results, named)).toEqual(["a missing-post interrupted", "b denied direct"]);
    // The first was denied, and did not only run: what the list names beside it fell with it.
    const denied = [rejected("a", beforeRun), rejected("b", beforeRun)];
    for (const order of [
      [...denied, named],
      [named, ...denied],
    ])
      expect(ended(...calls, ...order)).toEqual(["a denied direct", "b denied cascade"]);
    const hook: Input = { type: "tool.denied", call: ref("b"), verdict: "hook" };
    expect(ended(...calls, named, hook)).toEqual(["a queued", "b denied hook"]);
    expect(ended(...calls, hook, named)).toEqual(["a queued", "b denied hook"]);
  });

  test("C4: an answer that interrupts brought the others down, not the first that was aborted", () => {
    const asked = ["a", "b"].flatMap((id) => [announced(id), pre(id), ask(id)]);
    const answer: Input = {
      type: "approval.answered",
      call: ref("b"),
      decision: "deny",
      by: "sdk",
      interrupt: true,
    };
    const run = new SessionRun({ policy: { cascade: "none" } });
    run.tell(prompt, ...asked, answer, rejected("a", beforeRun), rejected("b", beforeRun));
    expect(run.ends).toEqual(["a denied cascade", "b denied direct"]);
    expect(run.calls[0]?.context.denial?.callId).toBe("b");
  });

  test("C4: an old client never says whether a call began: the first that was not seen to begin was denied", () => {
    const old = { unmarked: true };
    const calls = [prompt, announced("a"), announced("b")];
    expect(ended(...calls, rejected("a", old), rejected("b", old))).toEqual([
      "a denied direct",
      "b denied cascade",
    ]);
    expect(ended(...calls, pre("a"), rejected("a", old))).toEqual(["a missing-post interrupted", "b queued"]);
  });
});
