// Left open
// Adds to a page of a session's history the present views of the actors that a reader of the page needs and the page does not
// show.
//
//   Owns:          which views are added to which page of a history.
//   Does not own:  the changes of the page (history), the views (views), which calls are open (machines/routing/agents).
//
// LEFT-OPEN-1. A page of all changes also gets these views: the session's; that of each request which another actor's change
//     (such as a call's) names before any change of the request itself; that of each open call of which the page shows no
//     change, and of this call's pending approval. A page of one actor's changes also gets the view of this actor. So a reader
//     of one page knows what is going on now, however long ago it began.
// LEFT-OPEN-2. A page gets at most 100 requests and 100 calls. Only the newest page gets the session and its calls.

import { type Address, childAddress, openCalls, parseAddress } from "../../../machines/index.ts";
import type { StateChange } from "../../rows/changes.ts";
import { keys } from "../../rows/keys.ts";
import type { CallView } from "../../rows/views.ts";
import type { ChangeWish } from "../history.ts";
import type { Lost, Page, Slice } from "../paging.ts";
import type { Reader } from "../reader.ts";

/** An actor as it is now. `view`: its view, in the form that a change has. */
export interface Standing {
  readonly entity: "session" | "request" | "toolcall" | "approval";
  readonly id: string;
  readonly view: object;
}

export interface StandingPage extends Page<StateChange> {
  readonly standing?: readonly Standing[];
}

const NAMED_MAX = 100;

/**
 * Adds the views of LEFT-OPEN-1 to a page of changes, if `wish` asks for them.
 * @param found the page that answers `wish`.
 * @param lost called with the key of a row that cannot be read.
 */
export function withStanding(
  reader: Reader,
  home: Address,
  found: Page<StateChange>,
  wish: ChangeWish & { readonly standing?: boolean },
  { cursor }: Slice,
  lost: Lost,
): StandingPage {
  if (wish.standing !== true) return found;
  const read = <T>(address: Address, show: () => readonly T[]): readonly T[] => {
    try {
      return show();
    } catch (error) {
      lost(keys.actor(address), error);
      return [];
    }
  };
  const shown = (some: readonly Address[]) =>
    some.flatMap((each) => read(each, () => standingAt(reader, each)));
  const machine = namedBy(home, wish);
  if (machine) return { ...found, standing: shown(machine) };
  const oldestFirst = found.items.toReversed();
  const requests = shown(requestsIn(home, oldestFirst));
  if (cursor !== undefined) return { ...found, standing: requests };
  const calls = shown(read(home, () => openIn(reader, home, oldestFirst)));
  return { ...found, standing: [...shown([home]), ...requests, ...calls, ...shown(askedIn(home, calls))] };
}

/** If `wish` names one actor, the addresses that it may have; undefined if the changes of all actors are wanted. */
function namedBy(home: Address, { id, call }: ChangeWish): readonly Address[] | undefined {
  if (call !== undefined) return [childAddress(home, "call", call)];
  if (id === undefined) return undefined;
  const children = (["request", "call", "approval"] as const).map((kind) => childAddress(home, kind, id));
  return parseAddress(home).session === id ? [home, ...children] : children;
}

/** The requests whose earliest mention in a page is in a change of another entity, such as a call. */
function requestsIn(home: Address, changes: readonly StateChange[]): readonly Address[] {
  const told = new Set<string>();
  const silent = new Set<string>();
  for (const { entity, id, requestId } of changes) {
    if (entity === "request" || entity === "callback") told.add(id);
    else if (requestId !== undefined && !told.has(requestId)) silent.add(requestId);
  }
  return [...silent].slice(-NAMED_MAX).map((id) => childAddress(home, "request", id));
}

/** The open calls of a session that have no change in the page. */
function openIn(reader: Reader, home: Address, changes: readonly StateChange[]): readonly Address[] {
  const told = new Set(changes.flatMap(({ entity, id }) => (entity === "toolcall" ? [id] : [])));
  const silent = [...openCalls(reader.books(home))].filter((id) => !told.has(id));
  return silent.slice(-NAMED_MAX).map((id) => childAddress(home, "call", id));
}

const askedIn = (home: Address, calls: readonly Standing[]): readonly Address[] =>
  calls.flatMap((each) => {
    const asked = each.entity === "toolcall" ? (each.view as CallView).approval : undefined;
    return asked?.state === "pending" ? [childAddress(home, "approval", asked.id)] : [];
  });

/** The actor at an address; empty if there is none. */
function standingAt(reader: Reader, address: Address): readonly Standing[] {
  const found = reader.actor(address);
  if (!found) return [];
  const { kind, id } = found.where;
  switch (kind) {
    case "session":
      return [{ entity: kind, id, view: reader.session(found) }];
    case "request":
      return [{ entity: kind, id, view: reader.request(found) }];
    case "call":
      return [{ entity: "toolcall", id, view: reader.call(found) }];
    case "approval":
      return [{ entity: kind, id, view: reader.approval(found) }];
  }
}
