// Subjects
// Builds every NATS subject of Signalbox; docs/reference/nats.md lists them.
//
//   Owns:          the layout of subjects, building and reading them.
//   Does not own:  who may publish where (the server's permissions), streams (adapters/nats).
//   Decided in:    docs/decisions/0102-a-partition-is-an-account.md.
//
// SUBJECTS-1. Every token of a subject is an id. So no wildcard, blank or line end gets into a subject, whatever was sent.
// SUBJECTS-2. `readInput` accepts exactly the subjects that `input` and `own` build.

import { isId, type SessionId, type WorkspaceId } from "../../machines/ids.ts";
import type { Entity, StateChange } from "./changes.ts";
import { InvariantViolation } from "../errors/errors.ts";

const ROOT = "signalbox.v1";

/** @throws InvariantViolation for a token that is not an id. */
function build(...tokens: readonly string[]): string {
  const bad = tokens.find((token) => !isId(token));
  if (bad === undefined) return `${ROOT}.${tokens.join(".")}`;
  throw new InvariantViolation(
    "BAD_TOKEN",
    `${JSON.stringify(bad)} cannot be part of a subject.`,
    "Report this as a defect.",
  );
}

/** Selects state changes. A field that is left out matches any value. */
export interface StateFilter {
  readonly workspace?: string;
  readonly session?: string;
  readonly entity?: Entity;
  readonly id?: string;
  readonly state?: string;
}

export const subjects = {
  inputs: `${ROOT}.in.>`,
  owns: `${ROOT}.own.>`,
  states: `${ROOT}.state.>`,
  deadLetters: `${ROOT}.dlq.>`,
  decisions: `${ROOT}.decide.*.*`,
  asks: `${ROOT}.ask.*.>`,
  recovered: `${ROOT}.notice.recovered`,
  /** The subject on which each checkpoint of the audit log is published when it is signed. */
  checkpoint: `${ROOT}.notice.checkpoint`,
  /** The subject on which the engine that owns the journal answers. On `leaving` that engine announces that it stops. */
  owner: `${ROOT}.cluster.owner`,
  leaving: `${ROOT}.cluster.leaving`,
  /** The subject of an input that a service publishes. @param type two tokens, such as `tool.started`. */
  input: (workspace: string, session: string, type: string) =>
    build("in", workspace, session, ...typeTokens(type)),
  /** The subject of a message that the engine itself writes. @param kind the kind of the message; its dots become dashes. */
  own: (workspace: string, session: string, kind: string) =>
    build("own", workspace, session, kind.replaceAll(".", "-")),
  state: (change: Pick<StateChange, "workspace" | "sessionId" | "entity" | "id" | "to">) =>
    build("state", change.workspace, change.sessionId, change.entity, change.id, change.to),
  stateFilter,
  /** The type of the CloudEvent of a change, made from entity and state. */
  changeType: (entity: string, state: string) => build(entity, state),
  /** The subject of a dead letter. @param code the letter's code: `NOT_AUTHORISED` becomes `not-authorised`. */
  deadLetter: (code: string) => build("dlq", code.toLowerCase().replaceAll("_", "-")),
  decide: (workspace: string, approver: string) => build("decide", workspace, approver),
  /** The subject of a query. @param op the name of the query, such as `request.get`. */
  query: (op: string) => build("query", ...op.split(".")),
  ask: (workspace: string, op: string) => build("ask", workspace, ...op.split(".")),
  /** A filter for all messages to one computer of a team. */
  machine: (name: string) => `${build("machine", name)}.>`,
  /**
   * The subject of messages to one end of a connection.
   * @param end the name of that end.
   * @param part `ack` for the acknowledgements that this end gets.
   */
  machineEnd: (name: string, end: string, part?: "ack") =>
    build("machine", name, end, ...(part ? [part] : [])),
  readMachineEnd,
  /** The beginning of the subjects of queries; also the name of the NATS service's group. */
  queries: `${ROOT}.query`,
  readInput,
  readDecide,
  readAsk,
  workspaceIn,
  isOurs: (subject: string): boolean => /^signalbox(\.|$)/.test(subject),
} as const;

function readMachineEnd(
  subject: string,
): { readonly name: string; readonly end: string; readonly part: "ack" | undefined } | undefined {
  const [name = "", end = "", part, ...more] = subject.slice(`${ROOT}.machine.`.length).split(".");
  const isOne = subject.startsWith(`${ROOT}.machine.`) && isId(name) && isId(end);
  if (!isOne || more.length > 0 || (part !== undefined && part !== "ack")) return undefined;
  return { name, end, part };
}

function typeTokens(type: string): readonly string[] {
  const tokens = type.split(".");
  return tokens.length === 2 ? tokens : [type];
}

function stateFilter({ workspace, session, entity, id, state }: StateFilter): string {
  const given = [workspace, session, entity, id, state];
  const last = given.findLastIndex((token) => token !== undefined);
  const wildcards = given.slice(0, last + 1).map((token) => token ?? "*");
  build(...wildcards.filter((token) => token !== "*"), "state");
  return [ROOT, "state", ...wildcards, ...(last < given.length - 1 ? [">"] : [])].join(".");
}

interface InputSubject {
  readonly door: "in" | "own";
  readonly workspace: WorkspaceId;
  readonly session: SessionId;
  readonly type: string;
}

function readInput(subject: string): InputSubject | undefined {
  const tokens = tokensOf(subject);
  const [door, workspace, session, ...type] = tokens ?? [];
  if (workspace === undefined || session === undefined) return undefined;
  const isInput = door === "in" && type.length === 2;
  if (!isInput && !(door === "own" && type.length === 1)) return undefined;
  // The casts are safe: `tokensOf` returns ids only.
  return { door, workspace: workspace as WorkspaceId, session: session as SessionId, type: type.join(".") };
}

function readDecide(
  subject: string,
): { readonly workspace: WorkspaceId; readonly approver: string } | undefined {
  const [door, workspace, approver, ...rest] = tokensOf(subject) ?? [];
  if (door !== "decide" || workspace === undefined || approver === undefined || rest.length > 0)
    return undefined;
  return { workspace: workspace as WorkspaceId, approver };
}

function readAsk(subject: string): { readonly workspace: WorkspaceId; readonly op: string } | undefined {
  const [door, workspace, ...op] = tokensOf(subject) ?? [];
  if (door !== "ask" || workspace === undefined || op.length === 0) return undefined;
  return { workspace: workspace as WorkspaceId, op: op.join(".") };
}

const IN_WORKSPACE: readonly string[] = ["in", "own", "decide", "ask"];

/** The workspace that a subject of any kind names; undefined if it names none. */
function workspaceIn(subject: string): string | undefined {
  const [, , door = "", workspace = ""] = subject.startsWith(`${ROOT}.`) ? subject.split(".") : [];
  return IN_WORKSPACE.includes(door) && isId(workspace) ? workspace : undefined;
}

function tokensOf(subject: string): readonly string[] | undefined {
  if (!subject.startsWith(`${ROOT}.`)) return undefined;
  const tokens = subject.slice(ROOT.length + 1).split(".");
  return tokens.every(isId) ? tokens : undefined;
}
