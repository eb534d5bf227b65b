// Configuration
// Which states of its chart an actor is in, read from the view in a change.
//
//   Owns:          views to states.
//   Does not own:  the charts.
//
// A view tells each region's state: the chart needs nothing else, and so shows any moment of the log.

import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../../../runtime/rows/views.ts";
import type { MachineKind } from "./definition.ts";

/** The leaf of each region, as paths below the root. */
function leavesOf(kind: MachineKind, view: unknown): readonly string[] {
  switch (kind) {
    // Each view is that of its entity (runtime/changes).
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

/** The ids of all states an actor is in: the leaves and what is around them. */
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
  call: ["toolcall"],
  approval: ["approval"],
};

export const isOf =
  (kind: MachineKind, id: string) =>
  (change: StateChange): boolean =>
    change.id === id && ENTITIES[kind].includes(change.entity);

/** The step a change was, as ids of the states left and entered. */
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
