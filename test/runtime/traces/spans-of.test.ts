// Spans of generated sessions beside the sessions' own actors.

import { expect, test } from "vitest";
import { childAddress, type RequestContext } from "../../../machines/index.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import { begunBy, endedBy } from "../../../runtime/traces/spans-of.ts";
import type { BegunSpan, EndedSpan } from "../../../runtime/traces/span.ts";
import { holds } from "../../support/properties/property.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { type Session, story } from "../../support/sessions/script.ts";
import { SessionRun } from "../../support/sessions/session-run.ts";

const FILE = "test/runtime/traces/spans-of.test.ts";
const RUNS = 100;

interface Told {
  readonly run: SessionRun;
  readonly begun: ReadonlyMap<string, BegunSpan>;
  readonly ended: readonly EndedSpan[];
}

/** Plays a session, and reads each change by itself. */
function told({ policy, steps }: Session): Told {
  const run = new SessionRun({ policy: { cascade: policy } });
  const begun = new Map<string, BegunSpan>();
  const ended: EndedSpan[] = [];
  let version = 0;
  for (const step of steps)
    for (const draft of run.take(step)?.changes ?? []) {
      version += 1;
      // As it comes out of the log.
      const text = JSON.stringify({ ...draft, version, at: run.at });
      const change = JSON.parse(text) as StateChange;
      const one = begunBy(change);
      if (one) begun.set(one.spanId, one);
      const over = endedBy(change);
      if (over) ended.push(over);
    }
  return { run, begun, ended };
}

const attribute = (name: string, span: EndedSpan): string => String(span.attributes[name]);
const isCall = ({ name }: EndedSpan): boolean => name.startsWith("execute_tool");

test("SPANS-OF-1, SPANS-OF-2: each call, request and approval that is over has one span; what is open has none", () => {
  holds(
    FILE,
    RUNS,
    sessions(40),
    (session) => {
      const { run, ended, begun } = told(session);
      const of = (name: string, some: readonly EndedSpan[]) =>
        some.map((span) => attribute(name, span)).sort();
      const calls = run.calls.filter(
        ({ context: { closedAt, was } }) => closedAt !== undefined || was !== undefined,
      );
      expect(of("signalbox.call.id", ended.filter(isCall))).toEqual(calls.map(({ id }) => id).sort());
      const requests = run.requests.filter(({ context }) => context.completedAt !== undefined);
      expect(
        of(
          "signalbox.request.id",
          ended.filter(({ name }) => name === "invoke_agent"),
        ),
      ).toEqual(requests.map(({ id }) => id).sort());
      const approvals = run.approvals.filter(({ state }) => state !== "pending");
      expect(
        of(
          "signalbox.approval.id",
          ended.filter(({ name }) => name.startsWith("approval ")),
        ),
      ).toEqual(approvals.map(({ id }) => id).sort());
      const ids = ended.map(({ spanId }) => spanId);
      expect(new Set(ids).size).toBe(ids.length);
      const open = [...begun.keys()].filter((id) => !ids.includes(id));
      const all = run.calls.length + run.requests.length + run.approvals.length;
      expect(open.length).toBe(all - calls.length - requests.length - approvals.length);
    },
    story,
  );
});

test("SPANS-OF-3, SPANS-OF-4: a span begins within the one that holds it, and outlives it only as its call outlived its request", () => {
  holds(
    FILE,
    RUNS,
    sessions(40),
    (session) => {
      const { run, begun, ended } = told(session);
      for (const span of ended.filter(isCall)) {
        expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
        const parent = begun.get(span.parentId ?? "");
        expect(parent?.startMs).toBeLessThanOrEqual(span.startMs);
        const id = attribute("signalbox.request.id", span);
        const request = run.snapshot(childAddress(run.home, "request", id))?.context as
          RequestContext | undefined;
        expect(request?.createdAt).toBeLessThanOrEqual(span.startMs);
        const call = run.calls.find((each) => each.id === attribute("signalbox.call.id", span));
        const isOutlived =
          (request?.completedAt ?? Infinity) < (call?.context.closedAt ?? Infinity) ||
          call?.context.was !== undefined;
        if (!isOutlived) expect(span.endMs).toBeLessThanOrEqual(request?.completedAt ?? Infinity);
      }
    },
    story,
  );
});

/** What a call is taken for in the end, by its own machine. */
test("CALL-SPAN-1, SPANS-OF-2: the last word on a call's outcome is its state's", () => {
  holds(
    FILE,
    RUNS,
    sessions(40),
    (session) => {
      const { run, ended } = told(session);
      for (const { id, state, context } of run.calls) {
        const words = ended.filter(
          (span) =>
            span.attributes["signalbox.call.id"] === id && "signalbox.call.outcome" in span.attributes,
        );
        if (context.closedAt === undefined) continue;
        const last = attribute("signalbox.call.outcome", words.at(-1) as EndedSpan);
        if (state !== "missing-post") expect(last).toBe(state);
        else expect(["cancelled", "deferred", "lost"]).toContain(last);
      }
    },
    story,
  );
});
