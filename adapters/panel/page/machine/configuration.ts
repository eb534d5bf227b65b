// Configuration
// Finds out which states of a machine's chart are active, from the view that a change contains.
//
//   Owns:          finding the active states in a view.
//   Does not own:  drawing the chart.
//
// Each change contains the actor's view at that time, and the view names the state of each region of the machine. So the active
// states can be found for any moment in the change log.
//
// CONFIGURATION-1. At each moment of a history, a machine's chart highlights the states that a query at that moment would
//     have shown for the actor.

import { defined } from "../../../../machines/defined.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import type { Standing } from "../../../../runtime/reading/standing/left-open.ts";
import type { MachineKind } from "./definition.ts";

/** The innermost active state of each region, as paths below the root. */
function leavesOf(kind: MachineKind, view: unknown): readonly string[] {
  switch (kind) {
    // The cast is safe: the view in a change is a view of the entity that the change names (runtime/rows/changes).
    case "session":
      return [(view as SessionView).state];
    case "approval":
      return [(view as ApprovalView).state];
    case "request": {
      const { state, waiting, callbackState } = view as RequestView;
      const leaf = state === "processing" ? `processing.${waiting ? "waiting" : "running"}` : state;
      return [`lifecycle.${leaf}`, `callback.${callbackState}`];
    }
    case "call": {
      const { execution, approval } = view as CallView & { approval?: { state: string } };
      return [`execution.${execution}`, `approval.${approval?.state ?? "none"}`];
    }
  }
}

/** The ids of all active states of an actor: the innermost ones and those that contain them. */
export function litOf(kind: MachineKind, view: unknown): ReadonlySet<string> {
  const lit = new Set<string>([kind]);
  for (const leaf of leavesOf(kind, view)) {
    const parts = leaf.split(".");
    for (let depth = 1; depth <= parts.length; depth += 1)
      lit.add([kind, ...parts.slice(0, depth)].join("."));
  }
  return lit;
}

const ENTITIES: Readonly<Record<MachineKind, readonly string[]>> = {
  session: ["session"],
  request: ["request", "callback"],
  call: ["toolcall", "approval"],
  approval: ["approval"],
};

export interface Moment {
  readonly change: StateChange;
  readonly view: unknown;
}

/** @param changes the changes of the actor, by version; for a call, the changes of its approvals too. */
export function momentsOf(kind: MachineKind, changes: readonly StateChange[]): readonly Moment[] {
  const own = changes.filter(({ entity }) => ENTITIES[kind].includes(entity));
  return kind === "call" ? callMoments(own) : own.map((change) => ({ change, view: change.view }));
}

/** The present view of an actor; undefined if it is not among the given ones. */
export const presentOf = (kind: MachineKind, id: string, standing: readonly Standing[]): unknown =>
  standing.find((each) => each.id === id && ENTITIES[kind].includes(each.entity))?.view;

/** The moments of a call. Each change of the call's approval between two changes of the call is also a moment of the call. */
function callMoments(changes: readonly StateChange[]): readonly Moment[] {
  const moments: Moment[] = [];
  let call: CallView | undefined;
  let approval: ApprovalView | undefined;
  for (const change of changes) {
    // The cast is safe: the view in a change is a view of the entity that the change names (runtime/rows/changes).
    if (change.entity === "toolcall") call = change.view as CallView;
    else approval = newest(approval, change.view as ApprovalView);
    if (call) moments.push({ change, view: approval ? mirroring(call, approval) : call });
  }
  return moments;
}

/** The newer of two approvals of a call: the machine of the call mirrors the newest one. */
const newest = (known: ApprovalView | undefined, told: ApprovalView): ApprovalView =>
  known && known.id !== told.id && known.askedAt > told.askedAt ? known : told;

function mirroring(call: CallView, { id, state, by, message, askedAt, closedAt }: ApprovalView): CallView {
  const at = closedAt ?? askedAt;
  const told = defined({ by, message });
  return {
    ...call,
    approval: { ...(call.approval?.id === id && call.approval), id, at, ...told, state },
  };
}

/** The transition that a change made, as the ids of a left and an entered state; undefined if there is none. */
export function stepOf(
  kind: MachineKind,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): { readonly from: string; readonly to: string } | undefined {
  const left = [...before].filter((id) => !after.has(id));
  const entered = [...after].filter((id) => !before.has(id));
  const [from, to] = [left[0], entered[0]];
  return from === undefined || to === undefined || from === kind ? undefined : { from, to };
}
