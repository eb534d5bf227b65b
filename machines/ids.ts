// Ids
// The ids of sessions, requests, calls and so on as branded strings, and the address of an actor.
//
//   Owns:          the allowed form of an id; building and parsing addresses.
//   Does not own:  making valid ids of ids from outside (runtime/foreign-id), NATS subjects, store keys.

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type WorkspaceId = Brand<string, "WorkspaceId">;
export type SessionId = Brand<string, "SessionId">;
export type RequestId = Brand<string, "RequestId">;
export type CallId = Brand<string, "CallId">;
export type ApprovalId = Brand<string, "ApprovalId">;
export type BatchId = Brand<string, "BatchId">;
export type AgentId = Brand<string, "AgentId">;
export type Address = Brand<string, "Address">;

export const MAIN_AGENT = "main" as AgentId;

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** True for a string that may be part of a subject, a path or a key. */
export function isId(text: string): boolean {
  return ID.test(text);
}

export type ActorKind = "session" | "request" | "call" | "approval";
export type ChildKind = Exclude<ActorKind, "session">;

export function sessionAddress(workspace: WorkspaceId, session: SessionId): Address {
  return `${workspace}/${session}` as Address;
}

export function childAddress(session: Address, kind: ChildKind, id: string): Address {
  return `${session}/${kind}/${id}` as Address;
}

export type ActorName =
  | { readonly kind: "session"; readonly id: SessionId }
  | { readonly kind: "request"; readonly id: RequestId }
  | { readonly kind: "call"; readonly id: CallId }
  | { readonly kind: "approval"; readonly id: ApprovalId };

export type AddressParts = ActorName & { readonly workspace: WorkspaceId; readonly session: SessionId };

/** @throws Error if the text is not an address that this module made. */
export function parseAddress(address: string): AddressParts {
  const [workspace, session, kind, id, ...rest] = address.split("/");
  const child = kind === "request" || kind === "call" || kind === "approval";
  if (!workspace || !session || rest.length > 0 || (kind !== undefined && (!child || !id))) {
    throw new Error(`Not an actor address: "${address}"`);
  }
  const name = child ? { kind, id } : { kind: "session", id: session };
  // The cast is safe: only the two functions above make addresses, of valid ids.
  return { workspace, session, ...name } as AddressParts;
}
