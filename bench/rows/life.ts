// Life row
// One call from Pre to Post through router, books, machines, change views and index rows, in memory.
//
//   Baseline: the same transitions of the same machines with the same events and nothing around them, as XState alone
//   computes them. The second row adds what a turn has around it: parsing, translating, hashing, numbering.

import type { Effort } from "../effort.ts";
import {
  approvalMachine,
  callMachine,
  type Effect,
  requestMachine,
  route,
  type Routed,
  routeReport,
  scene,
  DEFAULT_POLICY,
  sessionMachine,
  type SourceInput,
} from "../../machines/index.ts";
import { begin, move, type Moved, type Snapshot } from "../../runtime/rows/actors/actors.ts";
import { digestId } from "../../runtime/foreign-id.ts";
import { deliver } from "../../runtime/turn/delivery.ts";
import { writeMessage } from "../../runtime/message.ts";
import { freshMeta } from "../../runtime/rows/meta.ts";
import { keys } from "../../runtime/rows/keys.ts";
import { Layer } from "../../runtime/rows/overlay.ts";
import { turn } from "../../runtime/turn/turn.ts";
import { cpuUs, inTurns } from "../measure.ts";
import type { Row } from "../report.ts";
import { MemoryRecords } from "../../test/support/machines/memory-records.ts";
import { clients, translate } from "../../adapters/composition/clients.ts";
import { callInputs, post, pre, prompt, sessionId, WORKSPACE } from "../workload.ts";

const NOTHING = { get: () => undefined, keys: () => [] };
const session = sessionId(0);
const AT = 1_800_000_000_000;

const prompted: SourceInput = { type: "prompt.submitted", promptId: `prompt-${session}`, text: "Find it." };

/** A step of XState alone: the machine, and what it is given. */
type Step =
  | { readonly logic: Logic; readonly input: object }
  | { readonly logic: Logic; readonly snapshot: Snapshot; readonly event: object };

interface Logic {
  transition(snapshot: Snapshot, event: object, scope: object): Snapshot;
  getInitialSnapshot(scope: object, input: object): Snapshot;
  resolveState(snapshot: Snapshot): Snapshot;
}

// XState types each machine by its own events; recorded steps pair each machine with events it was given.
const LOGIC = {
  session: sessionMachine as unknown as Logic,
  request: requestMachine as unknown as Logic,
  call: callMachine as unknown as Logic,
  approval: approvalMachine as unknown as Logic,
} as const;
type Kind = keyof typeof LOGIC;

/** Runs the machines once, and writes down every transition they make. */
class Recorder {
  readonly steps: Step[] = [];
  readonly #records = new MemoryRecords();
  readonly #snapshots = new Map<string, Snapshot>();
  #queue: Effect[] = [];

  constructor() {
    const input = { id: session, workspace: WORKSPACE, source: "claude-code", at: AT, keepMs: 1 };
    this.#take("session", "session", { logic: LOGIC.session, input }, begin("session", input));
  }

  hear(input: SourceInput): void {
    this.#session(route(this.#scene(), input));
    for (let effect = this.#queue.shift(); effect; effect = this.#queue.shift()) {
      if (effect.type === "report") this.#session(routeReport(this.#scene(), effect.params));
      if (effect.type === "spawn") {
        const { kind, id, input: given } = effect.params;
        this.#take(kind, id, { logic: LOGIC[kind], input: given }, begin(kind, given));
      }
      if (effect.type === "deliver") this.#move(effect.params.kind, effect.params.id, effect.params.event);
    }
  }

  #scene() {
    const policy = { ...DEFAULT_POLICY, cascade: "interrupt" } as const;
    return scene({
      records: this.#records,
      sessionId: session,
      at: AT,
      channel: "hook",
      policy,
      digest: digestId,
    });
  }

  #session({ event }: Routed): void {
    this.#move("session", "session", event);
  }

  #move(kind: Kind, id: string, event: { readonly type: string }): void {
    const snapshot = this.#snapshots.get(`${kind}/${id}`);
    if (!snapshot) throw new Error(`${kind} ${id} is not known`);
    const step = { logic: LOGIC[kind], snapshot: LOGIC[kind].resolveState(snapshot), event };
    this.#take(kind, id, step, move(kind, snapshot, event));
  }

  #take(kind: Kind, id: string, step: Step, { snapshot, effects }: Moved): void {
    this.steps.push(step);
    this.#snapshots.set(`${kind}/${id}`, snapshot);
    this.#queue.push(...effects);
  }
}

const scope = {
  self: { _processingStatus: 1, id: "bare", sessionId: "bare", send: () => undefined },
  id: "bare",
  sessionId: "bare",
  logger: () => undefined,
  system: { _sendInspectionEvent: () => undefined },
  defer: () => undefined,
  emit: () => undefined,
  stopChild: () => undefined,
  actionExecutor: () => undefined,
};

function bare(steps: readonly Step[]): void {
  for (const step of steps) {
    if ("input" in step) step.logic.getInitialSnapshot(scope, step.input);
    else step.logic.transition(step.snapshot, step.event, scope);
  }
}

function throughMachines(inputs: readonly SourceInput[]): void {
  const ground = new Layer(NOTHING);
  ground.set(keys.meta, freshMeta("bench"));
  const policy = { ...DEFAULT_POLICY, cascade: "interrupt" } as const;
  const stage = {
    layer: ground,
    workspace: WORKSPACE,
    session,
    at: AT,
    source: "claude-code",
    channel: "hook",
    policy,
    digest: digestId,
  };
  for (const input of [prompted, ...inputs]) {
    ground.attempt(() => deliver(stage, input));
  }
}

function throughTurns(bodies: readonly string[]): void {
  const ground = new Layer(NOTHING);
  ground.set(keys.meta, freshMeta("bench"));
  for (const [n, body] of bodies.entries()) {
    const { outcome, reason } = turn(
      ground,
      { position: n + 1, at: AT, body },
      { clients, translate, digest: digestId, epoch: 1 },
    );
    if (outcome !== "applied") throw new Error(`A turn was ${outcome}: ${reason ?? ""}`);
  }
}

export async function lifeRows(effort: Effort): Promise<readonly Row[]> {
  const count = effort === "quick" ? 500 : 2_000;
  const numbers = Array.from({ length: count }, (_, n) => n);
  const inputs = numbers.flatMap((n) => callInputs(session, n));
  const bodies = [prompt(session), ...numbers.flatMap((n) => [pre(session, n), post(session, n)])].map(
    writeMessage,
  );
  const recorder = new Recorder();
  recorder.hear(prompted);
  const setUp = recorder.steps.length;
  for (const input of inputs) recorder.hear(input);
  const steps = recorder.steps.slice(setUp);
  const perCall = (work: () => void) => async (): Promise<number> => (await cpuUs(work)) / count;
  const figures = await inTurns(9, {
    bare: perCall(() => bare(steps)),
    machines: perCall(() => throughMachines(inputs)),
    turns: perCall(() => throughTurns(bodies)),
  });
  const baseline = { name: `${(steps.length / count).toFixed(0)} bare transitions`, figure: figures.bare };
  return [
    {
      what: "one call's life through the machines",
      unit: "µs/call",
      figure: figures.machines,
      baseline,
      budget: { of: "ratio", sense: "at most", limit: 1.5 },
    },
    {
      what: "one call's life in whole turns",
      unit: "µs/call",
      figure: figures.turns,
      baseline,
      budget: { of: "ratio", sense: "at most", limit: 1 },
    },
  ];
}
