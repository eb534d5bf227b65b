// Subject
// An actor in the form that Stately's inspector expects: its address, its machine, its state value.
//
//   Owns:          turning an actor's view into the state value of its machine.
//   Does not own:  the views (runtime), the messages (wire.ts).
//
// Each change contains the actor's view, and the view names the state of each region of the machine. So a change is enough to
// show an actor, even one that was removed long ago.

import {
  type ActorKind,
  type Address,
  childAddress,
  sessionAddress,
  type SessionId,
  type WorkspaceId,
} from "../../machines/index.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { ApprovalView, CallView, RequestView, SessionView } from "../../runtime/rows/views.ts";

type Value = string | { readonly [region: string]: Value };

export interface Subject {
  readonly kind: ActorKind;
  readonly address: Address;
  /** The address of the session that spawned the actor; for a session, its own address. */
  readonly root: Address;
  readonly value: Value;
  readonly view: object;
}

interface Place {
  readonly workspace: string;
  readonly session: string;
}

const KINDS: Readonly<Record<StateChange["entity"], ActorKind>> = {
  session: "session",
  request: "request",
  callback: "request",
  toolcall: "call",
  approval: "approval",
  alarm: "call",
};

export function subjectOfChange({ entity, workspace, sessionId, id, view }: StateChange): Subject {
  // The cast is safe: the view in a change is an object, a view of the entity that the change names (runtime/rows/changes).
  return subjectOf(KINDS[entity], { workspace, session: sessionId }, id, view as object);
}

/** @param view the actor's view. @param id the actor's id; for a session, the session's id. */
export function subjectOf(kind: ActorKind, { workspace, session }: Place, id: string, view: object): Subject {
  // The casts are safe: both ids come from rows that the engine wrote.
  const root = sessionAddress(workspace as WorkspaceId, session as SessionId);
  const address = kind === "session" ? root : childAddress(root, kind, id);
  return { kind, address, root, value: valueOf(kind, view), view };
}

function valueOf(kind: ActorKind, view: object): Value {
  switch (kind) {
    // The casts are safe: `kind` says which kind of actor the view is of.
    case "session":
      return (view as SessionView).state;
    case "approval":
      return (view as ApprovalView).state;
    case "request": {
      const { state, waiting, callbackState } = view as RequestView;
      const inner = waiting ? "waiting" : "running";
      return { lifecycle: state === "processing" ? { processing: inner } : state, callback: callbackState };
    }
    case "call": {
      const { execution, approval } = view as CallView & { readonly approval?: { readonly state: string } };
      return { execution, approval: approval?.state ?? "none" };
    }
  }
}
