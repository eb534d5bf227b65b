// Sample
// Runs a sample agent inside the engine; its session, requests and approvals are handled like those of any other agent.
//
//   Owns:          sending the sample's events through the door, waiting for answers as an agent would wait.
//   Does not own:  what the events do in the engine, the script (script.ts).
//
// SAMPLE-1. The engine itself runs a sample, so the person who started the sample may close the page. If the engine stops
//     meanwhile, the sample continues at the next start. Each event's id is made of the session's id and the event's number,
//     so an event that is sent again counts once.

import type { WorkspaceId } from "../../machines/index.ts";
import type { Door } from "../door/door.ts";
import { envelopeOf } from "../door/envelope.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports.ts";
import { Waiters } from "../gate/waiters.ts";
import type { Queries } from "../reading/queries.ts";
import { pause, waitFor } from "../wait-for.ts";
import { needsConsent, type Step, STEPS } from "./script.ts";

export interface SampleOptions {
  readonly engine: Engine;
  readonly door: Pick<Door, "take" | "checkHome">;
  readonly queries: Pick<Queries, "getApproval" | "getRequest" | "listSessions">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const WORKSPACE = "sample" as WorkspaceId;
const PACE_MS = 500;
const RESUMED_MAX = 50;
const OVER: ReadonlySet<string> = new Set(["completed", "failed", "timeout"]);

export class Sample {
  readonly #options: SampleOptions;
  readonly #waiters: Waiters;
  readonly #over = new AbortController();

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#waiters = new Waiters(options.engine);
  }

  /**
   * Begins a new sample session.
   * @param by the name of the person who asked for the sample.
   * @throws RefusedError OTHER_PARTITION
   */
  begin(by: string): void {
    this.#options.door.checkHome(WORKSPACE, {});
    const session = `sample-${this.#options.clock.now().toString(36)}`;
    this.#play(session, by).catch(this.#options.onError);
  }

  /** Continues interrupted samples. Must be called after the engine's start. */
  start(): void {
    const { queries, onError } = this.#options;
    const { items } = queries.listSessions({ workspace: WORKSPACE }, { limit: RESUMED_MAX });
    for (const { id } of items) {
      const request = queries.getRequest(requestOf(id), { workspace: WORKSPACE });
      if (request && !OVER.has(request.state)) this.#play(id, WORKSPACE).catch(onError);
    }
  }

  stop(): void {
    this.#over.abort();
  }

  /** Plays a sample session until all its calls are done, or a denial has ended the remaining calls. */
  async #play(session: string, by: string): Promise<void> {
    const emit = this.#emitter(session, by);
    const requestId = requestOf(session);
    await emit("session.started", BEGINNING);
    await emit("request.created", { requestId, prompt: PROMPT });
    await emit("request.processing", { requestId });
    for (const [index, step] of STEPS.entries())
      await emit("tool.announced", announced(session, index, step));
    for (const [index, step] of STEPS.entries()) {
      const call = callOf(session, index, step);
      await emit("tool.started", call);
      if (needsConsent(step)) {
        const approvalId = `${session}-question-${index + 1}`;
        await emit("approval.requested", { ...call, approvalId, channel: "sample" });
        if (!(await this.#answerTo(approvalId))) break;
      }
      await pause({ clock: this.#options.clock, ms: PACE_MS }, this.#over.signal);
      await emit("tool.finished", { ...call, output: step.output, durationMs: PACE_MS });
    }
    await emit("request.completed", { requestId });
  }

  /**
   * Makes the function that sends the sample's events. While the engine stops, the function sends nothing; the engine's next
   * start sends the remaining events.
   * @throws the error of the door.
   */
  #emitter(session: string, by: string): (type: string, data: object) => Promise<void> {
    let sent = 0;
    return async (type, data) => {
      sent += 1;
      if (this.#over.signal.aborted) return new Promise(() => undefined);
      const said = { workspace: WORKSPACE, session, id: `${session}-${sent}`, source: "sample", type, data };
      const taken = await this.#options.door.take([envelopeOf(said)], { door: "sample", by });
      for (const each of taken) if ("refused" in each) throw each.refused;
    };
  }

  async #answerTo(id: string): Promise<boolean> {
    const { queries } = this.#options;
    const state = (): string | undefined => queries.getApproval(id, { workspace: WORKSPACE })?.state;
    const changes = this.#waiters.of({ workspace: WORKSPACE, entity: "approval", id });
    const isAnswered = (): boolean => state() !== "pending";
    if (!isAnswered()) await waitFor(changes, isAnswered, undefined, this.#over.signal);
    return state() === "approved";
  }
}

const PROMPT = "The cart's total is off by a cent. Find out why and mend it.";
const BEGINNING = {
  title: "A sample: the cart's total is off by a cent",
  cwd: "/home/you/shop",
  branch: "fix/rounding",
};

const requestOf = (session: string): string => `${session}-1`;

const callOf = (session: string, index: number, { tool, input }: Step) => ({
  requestId: requestOf(session),
  toolUseId: `${session}-call-${index + 1}`,
  tool,
  input,
});

const announced = (session: string, index: number, step: Step) => ({
  ...callOf(session, index, step),
  messageId: `${session}-message`,
  blockIndex: index,
  intent: { text: step.intent, source: "message", confidence: "certain" },
});
