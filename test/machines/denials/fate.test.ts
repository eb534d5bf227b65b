// Denials: fate
// Over generated sessions: nothing but a call it can belong to takes up a denial, no such call passes it by, and what
// becomes of each is told once.

import { expect, test } from "vitest";
import { type ApprovalContext, childAddress, type Input, type RequestId } from "../../../machines/index.ts";
import { type ApprovalBook, approvals, head, prompts, workOf } from "../../../machines/books.ts";
import { MAIN_AGENT } from "../../../machines/ids.ts";
import { unusedDenials } from "../../../machines/queues/waiting-approvals.ts";
import { sessions, UNSEEN } from "../../support/sessions/generate.ts";
import { holds } from "../../support/properties/property.ts";
import { type Session, type Step, story } from "../../support/sessions/script.ts";
import { type Heard, type Seen, type SeenCall, SessionRun } from "../../support/sessions/session-run.ts";

const FILE = "test/machines/denials/fate.test.ts";

type Question = Seen<ApprovalContext>;

const isDenial = ({ state, context }: Question): boolean =>
  state === "denied" || (state === "expired" && context.onDeadline === "deny");

/** A start that is told after its call's end. It is of the work that it names; if it names none, of the work in hand. */
interface LateStart {
  readonly callId: string;
  readonly requestId: RequestId;
  /** True if the call had an approval before. It then takes up no other. */
  readonly wasAsked: boolean;
}

/** The late start that a step will tell of. A subagent's calls stay with its request, whatever work is in hand. */
function lateStart({ calls, records }: SessionRun, step: Step): LateStart | undefined {
  if (!("hear" in step) || step.hear.type !== "tool.started") return undefined;
  const { call: ref, promptId = head(records).promptBy[step.channel] } = step.hear;
  const call = calls.find(({ context }) => context.toolUseId === (ref.toolUseId ?? ""));
  if (call?.context.agentId !== MAIN_AGENT || ["queued", "processing"].includes(call.state)) return undefined;
  const requestId = promptId === undefined ? head(records).requestId : prompts.get(records, promptId);
  return requestId && { callId: call.id, requestId, wasAsked: call.context.approval !== undefined };
}

/** True where the call may be the one that the question is about. */
function canBelong(
  { records }: SessionRun,
  question: ApprovalBook,
  { id, context }: SeenCall,
  late: LateStart | undefined,
): boolean {
  const { toolUseId, agentId, tool, hash } = question;
  if (toolUseId !== undefined && context.toolUseId !== undefined) return toolUseId === context.toolUseId;
  const home = late?.callId === id ? late.requestId : context.requestId;
  return (
    agentId === context.agentId &&
    tool === context.tool &&
    workOf(records, home) === workOf(records, question.requestId) &&
    (hash === undefined || context.input === undefined || hash === context.input.hash)
  );
}

/** Follows the denials of a session that have no call yet. */
class Denials {
  readonly #run: SessionRun;
  readonly #waiting = new Set<string>();
  #known = new Set<string>();
  #calls = new Set<string>();
  /** What the input in hand tells of. */
  #late: LateStart | undefined;
  /** Calls that an earlier input showed to have run after their denial: they stay denied, and have their result. */
  readonly #ran = new Set<string>();
  applied = 0;
  unused = 0;

  constructor(run: SessionRun) {
    this.#run = run;
  }

  #book(id: string): ApprovalBook {
    const book = approvals.get(this.#run.records, id as never);
    if (!book) throw new Error(`question ${id} has no book`);
    return book;
  }

  hear(step: Step): void {
    this.#late = lateStart(this.#run, step);
  }

  look({ audits = [] }: Heard): void {
    const { calls, approvals: questions } = this.#run;
    const fates = audits.filter(({ kind }) => kind.startsWith("denial-"));
    const waitedBefore = [...this.#waiting];
    for (const question of questions.filter(isDenial)) {
      if (!this.#known.has(question.id)) this.#waiting.add(question.id);
      if (!this.#waiting.has(question.id)) continue;
      const told = fates.filter(({ approvalId }) => approvalId === question.id);
      this.#follow(question, told, !this.#known.has(question.id), audits);
    }
    const late = this.#late?.wasAsked === false ? this.#late.callId : undefined;
    const fresh = calls.filter(({ id }) => !this.#calls.has(id) || id === late);
    for (const call of fresh) this.#notPassedBy(call, waitedBefore);
    this.#known = new Set(questions.filter(isDenial).map(({ id }) => id));
    this.#calls = new Set(calls.map(({ id }) => id));
    for (const { kind, decision, callId } of audits)
      if (kind === "observed-outcome" && decision === "ran" && callId !== undefined) this.#ran.add(callId);
  }

  /** I-41: applied, told to be unused, or waiting where its call will find it. */
  #follow(
    question: Question,
    told: Heard["audits"] & object,
    isNew: boolean,
    audits: Heard["audits"] & object,
  ) {
    const { id, context } = question;
    if (context.callId !== undefined) {
      const atOnce = audits.filter((row) => row.approvalId === id && row.callId === context.callId);
      expect(atOnce, `${id} is denied with its call`).toHaveLength(1);
      if (!isNew) expect(told.map(({ kind }) => kind)).toEqual([this.#fateOf(question)]);
      if (told.length > 0) this.#belongs(question);
      this.applied += told.length;
    } else if (told.length > 0) {
      expect(told.map(({ kind }) => kind)).toEqual(["denial-unused"]);
      this.unused += 1;
    } else {
      expect(unusedDenials(this.#run.records, context.requestId), `${id} waits`).toContain(id);
      return;
    }
    this.#waiting.delete(id);
  }

  #callOf({ context }: Question): SeenCall | undefined {
    return this.#run.calls.find(({ id }) => id === context.callId);
  }

  /** What came too late for a call that had its result is not applied: nothing keeps it from running any more. */
  #fateOf(question: Question): "denial-applied" | "denial-unused" {
    const { id = "", state = "" } = this.#callOf(question) ?? {};
    const hasResult = ["completed", "failed"].includes(state) || this.#ran.has(id);
    return hasResult ? "denial-unused" : "denial-applied";
  }

  /** C4 */
  #belongs(question: Question): void {
    const { id } = question;
    const call = this.#callOf(question);
    if (this.#fateOf(question) === "denial-applied")
      expect(call?.state, `${id} denies its call`).toBe("denied");
    if (!call) return;
    const isAbout = canBelong(this.#run, this.#book(id), call, this.#late);
    expect(isAbout, `${id} is about ${call.id}`).toBe(true);
  }

  /** A call just seen, or just seen to start, that a waiting denial fits has been denied, or has the question that names it. */
  #notPassedBy(call: SeenCall, waitedBefore: readonly string[]): void {
    const fits = waitedBefore.filter(
      (id) => this.#waiting.has(id) && canBelong(this.#run, this.#book(id), call, this.#late),
    );
    if (fits.length === 0) return;
    const own = call.context.approval?.id;
    const question = own === undefined ? undefined : this.#book(own);
    const isNamed = question?.toolUseId !== undefined && question.toolUseId === call.context.toolUseId;
    expect(isNamed || question?.denied !== undefined, `${call.id} passed ${fits.join(", ")} by`).toBe(true);
  }

  get left(): readonly string[] {
    return [...this.#waiting];
  }
}

/** Ends the session, and takes every request of it away. */
function clear(run: SessionRun, look: (heard: Heard) => void): void {
  const timer = (id: string, which: string): Input => ({
    type: "timer.fired",
    address: childAddress(run.home, "request", id),
    timer: which,
    generation: 1,
  });
  look(run.hear({ type: "session.ended" }));
  const requests = run.requests.map(({ id }) => id);
  for (const which of ["timeout", "removal", "removal"]) {
    run.at += run.policy.keepMs;
    for (const id of requests) look(run.hear(timer(id, which), "own"));
  }
  expect(run.requests).toEqual([]);
}

test("G16, C4, I-41: a denial is taken up by a call it can belong to and by nothing else, and its fate is told once", () => {
  let applied = 0;
  let unused = 0;
  const claim = ({ policy, steps }: Session): void => {
    const run = new SessionRun({ policy: { cascade: policy } });
    const denials = new Denials(run);
    for (const step of steps) {
      denials.hear(step);
      const heard = run.take(step);
      if (heard) denials.look(heard);
    }
    const before = denials.left;
    const told: string[] = [];
    clear(run, ({ audits = [] }) => {
      for (const { kind, approvalId = "" } of audits) if (kind.startsWith("denial-")) told.push(approvalId);
    });
    expect(told.filter((id) => before.includes(id)).sort()).toEqual([...before].sort());
    expect(new Set(told).size).toBe(told.length);
    applied += denials.applied;
    unused += denials.unused + before.length;
  };
  holds(FILE, 300, sessions(40, UNSEEN), claim, story);
  expect(applied).toBeGreaterThan(20);
  expect(unused).toBeGreaterThan(20);
});
