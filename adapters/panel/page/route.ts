// Route
// Which view the address names. It uses only the part behind `#`, which the engine never sees.
//
//   Owns:          writing and reading addresses of views; remembering the place within a view.
//   Does not own:  the views.

import { Value } from "./engine/value.ts";

export type Route =
  | { readonly view: "inbox"; readonly approval?: ApprovalName }
  | { readonly view: "overview" }
  | {
      readonly view: "session";
      readonly workspace: string;
      readonly session: string;
      readonly call?: string;
      /** The version looked at; the newest where none is named. */
      readonly at?: number;
    }
  | {
      readonly view: "machine";
      readonly workspace: string;
      readonly session: string;
      readonly kind: "session" | "request" | "call" | "approval";
      readonly id: string;
      readonly at?: number;
    };

/** An approval: its id alone where nobody said in which workspace it is. */
export interface ApprovalName {
  readonly id: string;
  readonly workspace?: string;
}

const KINDS = ["session", "request", "call", "approval"] as const;

/** The address of a view, for a link. */
export function hrefOf(route: Route): string {
  const at = "at" in route ? `@${route.at}` : "";
  switch (route.view) {
    case "inbox":
      return route.approval === undefined ? "#/" : `#/inbox/${pathOf(route.approval)}`;
    case "overview":
      return "#/overview";
    case "session":
      return `#/session/${route.workspace}/${route.session}${route.call === undefined ? "" : `/${route.call}`}${at}`;
    case "machine":
      return `#/machine/${route.workspace}/${route.session}/${route.kind}/${route.id}${at}`;
  }
}

const pathOf = ({ workspace, id }: ApprovalName): string =>
  workspace === undefined ? id : `${workspace}/${id}`;

function approvalIn(first: string, second: string | undefined): ApprovalName {
  return second === undefined || second === "" ? { id: first } : { workspace: first, id: second };
}

/** The view an address names; the inbox where it names none. */
function routeOf(hash: string): Route {
  const [, path = "", version] = /^#?\/?(.*?)(?:@(\d+))?$/.exec(hash) ?? [];
  const at = version === undefined ? {} : { at: Number(version) };
  const [view, workspace, session, third, id] = path.split("/");
  if (view === "overview") return { view };
  if (view === "inbox" && workspace !== undefined && workspace !== "")
    return { view, approval: approvalIn(workspace, session) };
  if (workspace === undefined || session === undefined || session === "") return { view: "inbox" };
  if (view === "session")
    return { view, workspace, session, ...(third !== undefined && { call: third }), ...at };
  const kind = KINDS.find((each) => each === third);
  if (view === "machine" && kind && id !== undefined) return { view, workspace, session, kind, id, ...at };
  return { view: "inbox" };
}

export const route = new Value<Route>(routeOf(location.hash));
addEventListener("hashchange", () => route.set(routeOf(location.hash)));

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

/** Goes there in place of where one is: the way back leads past it. */
export function goInstead(to: Route): void {
  history.replaceState(null, "", hrefOf(to));
  route.set(to);
}

const REMEMBER_MS = 200;
let remembering: ReturnType<typeof setTimeout> | undefined;

/**
 * Where in the view one is, for a reload and for the way back: the address says it, without an entry of its own in the
 * browser's history. Browsers refuse to be told at every press of a key: only the last place of a moment is kept.
 */
export function remember(to: Route): void {
  clearTimeout(remembering);
  const from = location.hash;
  // One is on the way elsewhere already.
  if (routeOf(from).view !== to.view) return;
  remembering = setTimeout(() => {
    // Meanwhile one may have gone elsewhere.
    if (location.hash === from) history.replaceState(null, "", hrefOf(to));
  }, REMEMBER_MS);
}
