// Model
// What machines/SPEC.md says about a session, implemented a second time: plain lists, no machine, no index.
//
//   Owns:          which rule an input falls under; what is reported of the outcome.
//   Does not own:  the rules (calls, questions, requests), looking things up (world).

import type { CascadePolicy, Input } from "../../../machines/index.ts";
import { announced, began, deferred, release, result } from "./calls.ts";
import { settle } from "./fates.ts";
import { batchDone } from "./lists.ts";
import { answered, asked, decided, withdrawn } from "./questions.ts";
import { created, forgone, giveUp, hung, moved, prompted, quiet, stopped } from "./requests.ts";
import { taught } from "./speakers.ts";
import { type Call, isOver, type Question, type Request, World } from "./world.ts";

const ORPHAN_MS = 60 * 1_000;

/** Which actors one of the engine's own inputs means, as places in the order of first sight. */
export interface Meant {
  readonly request?: number;
  readonly question?: number;
  readonly call?: number;
}

/** The state of a session, with actors named by their places in the order of first sight. */
export interface Told {
  readonly session: string;
  readonly counts: object;
  readonly requests: readonly object[];
  readonly calls: readonly object[];
  readonly questions: readonly object[];
}

export class Model {
  readonly #world: World;

  constructor(policy: CascadePolicy) {
    this.#world = new World(policy);
  }

  /** @throws Turned before anything has changed. */
  hear(input: Input, channel: string, at: number, meant: Meant): void {
    const world = this.#world;
    world.at = at;
    world.channel = channel;
    this.#hear(input, meant);
    if (input.type !== "timer.fired") world.heardAt = at;
    for (let next = world.later.shift(); next; next = world.later.shift()) next();
  }

  #hear(input: Input, meant: Meant): void {
    const world = this.#world;
    switch (input.type) {
      case "session.started": {
        const first = !world.started && (input.reason === "startup" || input.reason === "fork");
        world.started = true;
        world.ended = false;
        return first || input.reason === "compact" ? undefined : giveUp(world, "killed", "session-start");
      }
      case "session.ended":
        release(world, 0);
        giveUp(world, "interrupted", "session-end");
        world.ended = true;
        return;
      case "process.gone":
        giveUp(world, "killed", "process-gone");
        world.ended = true;
        return;
      case "prompt.submitted":
        return prompted(world, input);
      case "turn.stopped":
        return stopped(world, input);
      case "agent.started":
        world.agent(world.names.get(input.agentId) ?? input.agentId).running = true;
        return;
      case "agent.linked":
        taught(world, input.agentId, input.toolUseId);
        return;
      case "tool.announced":
        return announced(world, input);
      case "tool.started":
        return began(world, input);
      case "tool.finished":
      case "tool.failed":
      case "tool.denied":
      case "tool.lost":
        return result(world, input);
      case "tool.deferred":
        return deferred(world, input);
      case "tool.batch":
        return batchDone(world, input);
      case "approval.requested":
        return asked(world, input);
      case "approval.answered":
        return answered(world, input);
      case "approval.withdrawn":
        return withdrawn(world, input);
      case "decision":
        return decided(world, this.#question(meant, input.approvalId), input);
      case "timer.fired":
        return this.#timer(input.timer, meant);
      case "request.created":
        return created(world, input);
      case "request.queued":
      case "request.processing":
      case "request.completed":
      case "request.failed":
      case "request.cancelled":
        return moved(world, input);
      case "request.callback":
      case "session.noted":
      case "tool.permission":
      case "unknown":
      case "agent.said":
      // An assignment has a model of its own: test/runtime/turn/assigning.test.ts.
      case "assigned":
      case "waiter.gone":
      case "approval.lapsed":
      case "approval.taken":
      // What rules want has a model of its own: runtime/turn/rule-answering.people.test.ts.
      case "demand":
        throw new Error(`the model has no rule for ${input.type}`);
    }
  }

  #question({ question }: Meant, id: string): Question | undefined {
    return question === undefined
      ? this.#world.questions.find((each) => each.id === id)
      : this.#world.questions[question];
  }

  #timer(timer: string, { request: nth = -1, question: mth = -1, call: kth = -1 }: Meant): void {
    if (timer === "orphans") return release(this.#world, ORPHAN_MS);
    if (timer === "idle") return quiet(this.#world);
    const call = this.#world.calls[kth];
    if (call) return forgone(this.#world, call);
    const question = this.#world.questions[mth];
    const request = this.#world.requests[nth];
    if (question) settle(this.#world, question, "expired");
    if (request) hung(this.#world, request);
  }

  tell(): Told {
    const { requests, calls, questions, ended } = this.#world;
    const open = requests.filter((request) => !isOver(request));
    const pending = questions.filter(({ state }) => state === "pending");
    const phase = pending.length > 0 ? "waiting_input" : open.length > 0 ? "running" : "idle";
    return {
      session: ended ? "ended" : phase,
      counts: {
        requests: requests.length,
        openRequests: open.length,
        calls: calls.length,
        openCalls: this.#world.open(() => true).length,
        pendingApprovals: pending.length,
      },
      requests: requests.map((request) => this.#request(request)),
      calls: calls.map((call) => this.#call(call)),
      questions: questions.map(({ state, call }) => ({ state, call: call ? calls.indexOf(call) : -1 })),
    };
  }

  #request(request: Request): object {
    const { state, error } = request;
    const waits = state === "processing" && this.#world.waits(request);
    return { state: waits ? "waiting" : state, error };
  }

  #call(call: Call): object {
    const { calls, requests, batches } = this.#world;
    const { state, cause, follows, was, ranAfterDenial, deferred: putOff, mirror, index } = call;
    const agents = [...new Set(calls.map((each) => each.agent))];
    return {
      agent: agents.indexOf(call.agent),
      parent: call.parent ? calls.indexOf(call.parent) : -1,
      state,
      mirror,
      cause,
      follows: follows ? calls.indexOf(follows) : -1,
      was,
      ranAfterDenial,
      deferred: putOff,
      request: requests.indexOf(call.request),
      batch: batches.indexOf(call.batch) + 1,
      index,
    };
  }
}
