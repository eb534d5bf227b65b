// Listing
// The index rows of an actor, by which queries find the actor: by id, or by state, workspace and time.
//
//   Owns:          which index rows an actor has in each of its states.
//   Does not own:  reading index rows (queries).
//
// LISTING-1. An index row exists exactly as long as its actor is in the listed state. So a reader of a list never has to skip
//     rows of actors that have left the state.
// LISTING-2. For each state, the list of actors in this state has a counter, which is updated together with the list. So no
//     reader has to count rows.

import type { Address, AddressParts, Alarm, Alias } from "../../machines/index.ts";
import { childAddress, defined, isId, parseAddress, sessionAddress } from "../../machines/index.ts";
import type { ApprovalContext, CallContext, RequestContext } from "../../machines/index.ts";
import { type Snapshot } from "./actors/actors.ts";
import { digestId } from "../foreign-id.ts";
import { keys } from "./keys.ts";
import { countMove } from "./meta.ts";
import type { Layer } from "./overlay.ts";
import { alarmIn, regionOf } from "./views.ts";

export const LISTS = {
  requestsOfSession: (workspace: string, session: string) => ["request", "session", workspace, session],
  /** The requests of a chat in all workspaces. The id of a chat comes from outside, so the list's name contains its hash. */
  requestsOfChat: (chatId: string | number) => ["request", "chat", chatName(chatId)],
  requestsOfChatIn: (workspace: string, chatId: string | number) => [
    "request",
    "workspace-chat",
    workspace,
    chatName(chatId),
  ],
} as const;

const chatName = (chatId: string | number): string => digestId("h_", [String(chatId)]);

/** The list that contains exactly the matching actors. A filter with an invalid id gets a list that is always empty. */
export function listBy(
  kind: "session" | "request" | "approval" | "alarm",
  { workspace, state }: { readonly workspace?: string; readonly state?: string },
): readonly string[] {
  for (const name of [workspace, state]) if (name !== undefined && !isId(name)) return [kind, "none"];
  if (workspace !== undefined && state !== undefined) return [kind, "both", workspace, state];
  if (workspace !== undefined) return [kind, "workspace", workspace];
  return state === undefined ? [kind, "all"] : [kind, "state", state];
}

export const listsBy = (
  kind: "session" | "request" | "approval" | "alarm",
  {
    workspace,
    workspaces,
    state,
  }: Parameters<typeof listBy>[1] & { readonly workspaces?: readonly string[] },
): readonly (readonly string[])[] =>
  workspace !== undefined || workspaces === undefined
    ? [listBy(kind, defined({ workspace, state }))]
    : workspaces.map((each) => listBy(kind, defined({ workspace: each, state })));

function createdAt(snapshot: Snapshot): number {
  const context = snapshot.context as { createdAt?: number; askedAt?: number };
  return context.createdAt ?? context.askedAt ?? 0;
}

/** The state under which an actor is listed. A waiting request is listed as `processing`. */
function stateOf(where: AddressParts, snapshot: Snapshot): string {
  const state = regionOf(snapshot.value, where.kind === "request" ? "lifecycle" : undefined);
  return where.kind === "request" && state === "waiting" ? "processing" : state;
}

function rows(where: AddressParts, address: Address, snapshot: Snapshot): readonly string[] {
  if (where.kind === "call") return [];
  const { kind } = where;
  const at = createdAt(snapshot);
  const state = stateOf(where, snapshot);
  return [
    keys.listed([kind, "state", state], at, address),
    keys.listed([kind, "both", where.workspace, state], at, address),
  ];
}

function fixedRows(where: AddressParts, address: Address, snapshot: Snapshot): readonly string[] {
  const session = sessionAddress(where.workspace, where.session);
  switch (where.kind) {
    case "session":
      return [
        keys.sessionOwner(where.session, where.workspace),
        keys.listed(["session", "workspace", where.workspace], createdAt(snapshot), address),
        keys.listed(["session", "all"], createdAt(snapshot), address),
      ];
    case "request": {
      const { chatId, createdAt: at } = snapshot.context as RequestContext;
      return [
        keys.owner("request", where.id, where.workspace),
        keys.listed(LISTS.requestsOfSession(where.workspace, where.session), at, address),
        keys.listed(["request", "workspace", where.workspace], at, address),
        keys.listed(["request", "all"], at, address),
        ...(chatId === undefined
          ? []
          : [
              keys.listed(LISTS.requestsOfChat(chatId), at, address),
              keys.listed(LISTS.requestsOfChatIn(where.workspace, chatId), at, address),
            ]),
      ];
    }
    case "approval":
      return [
        keys.owner("approval", where.id, where.workspace),
        keys.asked(session, (snapshot.context as ApprovalContext).requestId, where.id),
        keys.listed(["approval", "workspace", where.workspace], createdAt(snapshot), address),
        keys.listed(["approval", "all"], createdAt(snapshot), address),
      ];
    case "call": {
      const { requestId, createdAt: at } = snapshot.context as CallContext;
      return [keys.callOwner(where.id, session), keys.callListed(session, requestId, at, where.id)];
    }
  }
}

export function list(
  layer: Layer,
  where: AddressParts,
  address: Address,
  before: Snapshot | undefined,
  now: Snapshot,
): void {
  if (!before) for (const key of fixedRows(where, address, now)) layer.set(key, address);
  if (where.kind === "call") return listAlarm(layer, where, address, before, now);
  const [from, to] = [before && stateOf(where, before), stateOf(where, now)];
  if (from === to) return;
  countMove(layer, where.kind, from, to);
  if (before) for (const key of rows(where, address, before)) layer.delete(key);
  for (const key of rows(where, address, now)) layer.set(key, address);
}

function listAlarm(
  layer: Layer,
  where: AddressParts,
  address: Address,
  before: Snapshot | undefined,
  now: Snapshot | undefined,
): void {
  const [from, to] = [before && alarmIn(before), now && alarmIn(now)];
  if (from?.kind === to?.kind && from?.at === to?.at) return;
  if (from) for (const key of alarmRows(where, address, from)) layer.delete(key);
  if (to) for (const key of alarmRows(where, address, to)) layer.set(key, address);
  if (from?.kind !== to?.kind) countMove(layer, "alarm", from?.kind, to?.kind);
}

function alarmRows(
  { workspace }: AddressParts,
  address: Address,
  { kind: state, at }: Alarm,
): readonly string[] {
  const lists = [{}, { workspace }, { state }, { workspace, state }];
  return lists.map((filter) => keys.listed(listBy("alarm", filter), at, address));
}

/** Stores a row by which an approval is found by its alias. The row is removed together with the request. */
export function listAlias(layer: Layer, session: Address, { id, of, requestId }: Alias): void {
  const address = childAddress(session, "approval", of);
  for (const key of aliasRows(session, requestId, id)) layer.set(key, address);
}

export function unlistAlias(layer: Layer, session: Address, requestId: string, id: string): void {
  for (const key of aliasRows(session, requestId, id)) layer.delete(key);
}

const aliasRows = (session: Address, requestId: string, id: string): readonly string[] => [
  keys.owner("approval", id, parseAddress(session).workspace),
  keys.asked(session, requestId, id),
];

export function unlist(layer: Layer, where: AddressParts, address: Address, last: Snapshot): void {
  for (const key of [...rows(where, address, last), ...fixedRows(where, address, last)]) layer.delete(key);
  if (where.kind === "call") listAlarm(layer, where, address, last, undefined);
  else countMove(layer, where.kind, stateOf(where, last), undefined);
}
