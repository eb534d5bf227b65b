// Route
// Which view the address names. The part behind `#` only: the engine never sees it.
//
//   Owns:          writing and reading addresses of views.
//   Does not own:  the views.

import { Value } from "./engine/value.ts";

export type Route =
  | { readonly view: "inbox" }
  | { readonly view: "overview" }
  | { readonly view: "session"; readonly workspace: string; readonly session: string; readonly call?: string }
  | {
      readonly view: "machine";
      readonly workspace: string;
      readonly session: string;
      readonly kind: "session" | "request" | "call" | "approval";
      readonly id: string;
    };

const KINDS = ["session", "request", "call", "approval"] as const;

/** The address of a view, for a link. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case "inbox":
      return "#/";
    case "overview":
      return "#/overview";
    case "session":
      return `#/session/${route.workspace}/${route.session}${route.call === undefined ? "" : `/${route.call}`}`;
    case "machine":
      return `#/machine/${route.workspace}/${route.session}/${route.kind}/${route.id}`;
  }
}

/** The view an address names; the inbox where it names none. */
function routeOf(hash: string): Route {
  const [view, workspace, session, third, id] = hash.replace(/^#\/?/, "").split("/");
  if (view === "overview") return { view };
  if (workspace === undefined || session === undefined || session === "") return { view: "inbox" };
  if (view === "session") return { view, workspace, session, ...(third !== undefined && { call: third }) };
  const kind = KINDS.find((each) => each === third);
  if (view === "machine" && kind && id !== undefined) return { view, workspace, session, kind, id };
  return { view: "inbox" };
}

export const route = new Value<Route>(routeOf(location.hash));
addEventListener("hashchange", () => route.set(routeOf(location.hash)));

export function go(to: Route): void {
  location.hash = hrefOf(to);
}
