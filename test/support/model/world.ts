// Model world
// A session as plain lists, searched from end to end: slow, but simple enough to be seen to be right.
//
//   Owns:          looking up what the reference model remembers.
//   Does not own:  its fields (kinds), the rules (model).

import type { CallRef, CascadePolicy, Decision } from "../../../machines/index.ts";
import type { Agent, Batch, Call, Orphan, Question, Request } from "./kinds.ts";

export type { Batch, Call, Closed, Question, Request } from "./kinds.ts";

/** The input has no meaning here: it leaves nothing. Thrown before anything has changed. */
export class Turned extends Error {}

export const MAIN = "main";
/** How many closed calls of one input late evidence looks back to; how many approvals of one input. */
const NEAREST = 16;

export const isOpen = (call: Call): boolean => call.state === "queued" || call.state === "processing";
export const isOver = ({ state }: Request): boolean => ["completed", "failed", "timeout"].includes(state);

/** A request and its continuations are one work. */
export const workOf = (request: Request): Request => request.root ?? request;

export class World {
  readonly calls: Call[] = [];
  readonly questions: Question[] = [];
  readonly requests: Request[] = [];
  readonly batches: Batch[] = [];
  readonly agents = new Map<string, Agent>();
  readonly promptBy = new Map<string, string>();
  readonly byPrompt = new Map<string, Request>();
  readonly early = new Map<string, Decision>();
  /** Approvals by their ids in other channels; what each id was first used for. */
  readonly aliases = new Map<string, Question>();
  readonly asks = new Map<string, string>();
  /** Agents by the ids they got later. */
  readonly names = new Map<string, string>();
  /** Agents that were told which call they run under, in that order. */
  readonly taught: { readonly agent: string; readonly use: string }[] = [];
  orphans: Orphan[] = [];
  newest: Request | undefined;
  /** Further effects of an input, once its direct ones are done. */
  later: (() => void)[] = [];
  place = 0;
  closings = 0;
  started = false;
  ended = false;
  /** When anything but a deadline was last heard. */
  heardAt = 0;
  /** Of the present input. */
  at = 0;
  channel = "";
  readonly policy: CascadePolicy;

  constructor(policy: CascadePolicy) {
    this.policy = policy;
  }

  /** An agent; one heard of for the first time is running. */
  agent(id: string): Agent {
    const known = this.agents.get(id);
    if (known) return known;
    const fresh = {
      running: true,
      request: undefined,
      batch: undefined,
      startedBy: undefined,
      knownAs: undefined,
    };
    this.agents.set(id, fresh);
    return fresh;
  }

  named(ref: CallRef): Call | undefined {
    return ref.toolUseId === undefined ? undefined : this.calls.find(({ useId }) => useId === ref.toolUseId);
  }

  /** Calls of an agent's tool, in the order of their places. */
  #line(agent: string, tool: string | undefined, hash: string | undefined, which: (call: Call) => boolean) {
    return this.calls
      .filter((call) => call.agent === agent && call.tool === tool && which(call))
      .filter((call) => hash === undefined || call.hash === hash)
      .sort((a, b) => a.place - b.place);
  }

  /** The first open call that matches: by input in each stage given, then by tool in each. */
  first(
    agent: string,
    ref: CallRef,
    stages: readonly string[],
  ): { call: Call; by: "input" | "name"; of: number } | undefined {
    const levels = ref.input === undefined ? [undefined] : [ref.input.hash, undefined];
    for (const hash of levels) {
      for (const stage of stages) {
        const line = this.#line(agent, ref.tool, hash, ({ state }) => state === stage);
        if (line[0]) return { call: line[0], by: hash === undefined ? "name" : "input", of: line.length };
      }
    }
    return undefined;
  }

  /** The same, among calls without an approval, in the order in which they were seen. */
  unasked(agent: string, ref: CallRef): { call: Call; by: "input" | "name"; of: number } | undefined {
    for (const hash of ref.input === undefined ? [undefined] : [ref.input.hash, undefined]) {
      const line = this.#line(agent, ref.tool, hash, (call) => isOpen(call) && !call.question);
      line.sort((a, b) => a.unaskedAs - b.unaskedAs);
      if (line[0]) return { call: line[0], by: hash === undefined ? "name" : "input", of: line.length };
    }
    return undefined;
  }

  /** The oldest open call of the same input whose question was over before it came. */
  askedOver(agent: string, { tool, input }: CallRef): Call | undefined {
    if (input === undefined) return undefined;
    const stages = ["processing", "queued"].flatMap((stage) =>
      this.#line(agent, tool, input.hash, ({ state }) => state === stage),
    );
    return stages.slice(0, NEAREST).find((call) => call.askedOver);
  }

  /** Closed calls of the same input, the nearest ones, oldest first. */
  closed(agent: string, ref: CallRef): readonly Call[] {
    if (ref.input === undefined) return [];
    return this.#line(agent, ref.tool, ref.input.hash, (call) => !isOpen(call)).slice(-NEAREST);
  }

  /** Pending approvals of the same input that may be about this call; only of one work, if that is known. */
  asked(agent: string, ref: CallRef, work: Request | undefined): readonly Question[] {
    return this.questions
      .filter(({ state, agent: asker }) => state === "pending" && asker === agent)
      .filter(({ tool, hash }) => tool === ref.tool && hash === ref.input?.hash)
      .slice(0, NEAREST)
      .filter(
        ({ useId, call }) =>
          ref.toolUseId === undefined || (useId ?? call?.useId ?? ref.toolUseId) === ref.toolUseId,
      )
      .filter(({ request }) => work === undefined || workOf(request) === work);
  }

  /**
   * The approval that a new call takes up: one that names it; else one of its work that may be about it, by input
   * before by tool. Of several matches a denied one comes first: what is unclear is not allowed. What is over comes last.
   */
  waiting(agent: string, ref: CallRef, request: Request): Question | undefined {
    const { toolUseId: use, tool, input } = ref;
    const rank = ({ denied, state }: Question): number =>
      denied ? 0 : state === "pending" || state === "approved" ? 1 : 2;
    const waits = this.questions
      .filter((each) => each.call === undefined && !each.isUsed)
      .sort((a, b) => rank(a) - rank(b) || a.place - b.place);
    const naming = waits.find(({ useId }) => useId !== undefined && useId === use);
    if (naming || tool === undefined) return naming;
    const fits = waits.filter(
      (question) =>
        workOf(question.request) === workOf(request) &&
        question.agent === agent &&
        question.tool === tool &&
        (use === undefined || question.useId === undefined),
    );
    const likeness = [
      fits.filter(({ hash }) => hash !== undefined && hash === input?.hash),
      fits.filter(({ hash }) => hash === undefined),
      fits.filter(({ hash }) => hash !== undefined && input === undefined),
    ].flatMap((alike) => [
      ...alike.filter(({ useId }) => useId === undefined),
      ...alike.filter(({ useId }) => useId !== undefined),
    ]);
    return likeness.toSorted((a, b) => rank(a) - rank(b))[0];
  }

  /** Work shows that a session goes on, if there is anything to work on. */
  revive(): void {
    if (this.pending(() => true).length > 0 || this.requests.some((request) => !isOver(request)))
      this.ended = false;
  }

  open(which: (call: Call) => boolean): readonly Call[] {
    return this.calls.filter((call) => isOpen(call) && which(call));
  }

  pending(which: (question: Question) => boolean): readonly Question[] {
    return this.questions.filter((question) => question.state === "pending" && which(question));
  }

  waits(request: Request): boolean {
    return (
      this.pending((question) => question.request === request).length > 0 ||
      this.open((call) => call.request === request && call.deferred).length > 0
    );
  }
}
