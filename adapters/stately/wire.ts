// Wire
// The three messages in the format of Stately's inspector that viewers understand.
//
//   Owns:          the fields of the three messages.
//   Does not own:  the actors (subject.ts), when messages are sent (watcher.ts).
//
// STATELY-WIRE-1. The id of an actor is its address. The id of a message is made of the journal's incarnation, the number of
//     the change that the message is about, and the message's kind. The ids are the same for all observers and never change.
// STATELY-WIRE-2. A tool's input and output are sent as text, so that no viewer takes a part of them for an actor or a snapshot.

import {
  type ActorKind,
  approvalMachine,
  callMachine,
  requestMachine,
  sessionMachine,
} from "../../machines/index.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { Subject } from "./subject.ts";

const VERSION = "0.7.2";

const nameFunctions = (_key: string, value: unknown): unknown =>
  typeof value === "function" ? value.name || "inline" : value;

const DEFINITIONS: Readonly<Record<ActorKind, string>> = {
  session: JSON.stringify(sessionMachine.config, nameFunctions),
  request: JSON.stringify(requestMachine.config, nameFunctions),
  call: JSON.stringify(callMachine.config, nameFunctions),
  approval: JSON.stringify(approvalMachine.config, nameFunctions),
};

export interface Stamp {
  /** The message's id, or the beginning of the ids of a change's messages. */
  readonly id: string;
  /** When the state was entered, or when the engine read the state of an existing actor, ms. */
  readonly at: number;
}

const base = ({ address, root }: Subject, { id, at }: Stamp) => ({
  sessionId: address,
  rootId: root,
  createdAt: String(at),
  id,
  _version: VERSION,
});

/** The views' fields that contain JSON from agents, tools or approvers. */
const FOREIGN: ReadonlySet<string> = new Set(["input", "ranInput", "updatedInput", "output"]);

const contextOf = (view: object): object =>
  Object.fromEntries(
    Object.entries(view).map(([name, value]: [string, unknown]) => [
      name,
      FOREIGN.has(name) && typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  );

const snapshotOf = ({ value, view }: Subject) => ({ status: "active", value, context: contextOf(view) });

/** The message that introduces an actor to an observer that does not know the actor. */
export function actorMessage(subject: Subject, stamp: Stamp): string {
  const { kind, address, root } = subject;
  return JSON.stringify({
    type: "@xstate.actor",
    ...base(subject, stamp),
    name: kind === "session" ? address : `${kind} ${address.slice(address.lastIndexOf("/") + 1)}`,
    parentId: address === root ? undefined : root,
    definition: DEFINITIONS[kind],
    snapshot: snapshotOf(subject),
  });
}

/** The messages for a change: the event, and the actor's state after the event. */
export function changeMessages(subject: Subject, change: StateChange, stamp: Stamp): readonly string[] {
  const { entity, from, to, cause, n, turn, version } = change;
  const event = { type: `${entity}.${to}`, from, to, n, turn, version, cause };
  return [
    JSON.stringify({
      type: "@xstate.event",
      ...base(subject, { ...stamp, id: `${stamp.id}-event` }),
      event,
    }),
    JSON.stringify({
      type: "@xstate.snapshot",
      ...base(subject, { ...stamp, id: `${stamp.id}-snapshot` }),
      event,
      snapshot: snapshotOf(subject),
    }),
  ];
}
