// Route
// Reads from the page's address which view to show: from the part after `#`, which browsers never send to the engine.
//
//   Owns:          reading and writing the addresses of views; writing the reader's place within a view into the address.
//   Does not own:  what a view shows.

import { useEffect, useState } from "preact/hooks";
import { Value } from "./engine/value.ts";
import type { ApprovalName } from "./inbox/name.ts";

export type Route =
  | { readonly view: "inbox"; readonly approval?: ApprovalName }
  | { readonly view: "overview" }
  | { readonly view: "rules" }
  | { readonly view: "answers" }
  | { readonly view: "letters" }
  | {
      readonly view: "session";
      readonly workspace: string;
      readonly session: string;
      readonly call?: string;
      /** The version of the session that is shown; absent for the newest. */
      readonly at?: number;
    }
  | {
      readonly view: "machine";
      readonly workspace: string;
      readonly session: string;
      readonly kind: (typeof KINDS)[number];
      readonly id: string;
      readonly at?: number;
    };

const KINDS = ["session", "request", "call", "approval"] as const;

export function hrefOf(route: Route): string {
  const at = "at" in route ? `@${route.at}` : "";
  switch (route.view) {
    case "inbox":
      return route.approval === undefined ? "#/" : `#/inbox/${pathOf(route.approval)}`;
    case "overview":
    case "rules":
    case "answers":
    case "letters":
      return `#/${route.view}`;
    case "session":
      return `#/session/${route.workspace}/${route.session}${route.call === undefined ? "" : `/${route.call}`}${at}`;
    case "machine":
      return `#/machine/${route.workspace}/${route.session}/${route.kind}/${route.id}${at}`;
  }
}

const pathOf = ({ workspace, id }: ApprovalName): string =>
  workspace === undefined ? id : `${workspace}/${id}`;

const filled = (part: string | undefined): part is string => part !== undefined && part !== "";

/** What an address says after the name of its view: the parts between slashes, and the version after `@`. */
interface Said {
  readonly parts: readonly string[];
  readonly at: { readonly at?: number };
}

/** Reads each view from the parts of its address; undefined if a part is missing. */
const READ: { readonly [View in Route["view"]]: (said: Said) => Extract<Route, { view: View }> | undefined } =
  {
    inbox: ({ parts: [first, second] }) =>
      filled(first)
        ? { view: "inbox", approval: filled(second) ? { workspace: first, id: second } : { id: first } }
        : { view: "inbox" },
    overview: () => ({ view: "overview" }),
    rules: () => ({ view: "rules" }),
    answers: () => ({ view: "answers" }),
    letters: () => ({ view: "letters" }),
    session: ({ parts: [workspace, session, call], at }) =>
      workspace !== undefined && filled(session)
        ? { view: "session", workspace, session, ...(call !== undefined && { call }), ...at }
        : undefined,
    machine({ parts: [workspace, session, third, id], at }) {
      const kind = KINDS.find((each) => each === third);
      if (workspace === undefined || !filled(session) || !kind || id === undefined) return undefined;
      return { view: "machine", workspace, session, kind, id, ...at };
    },
  };

const isView = (name: string): name is Route["view"] => Object.hasOwn(READ, name);

/** The view that an address names; the inbox if it names none. */
function routeOf(hash: string): Route {
  const [named = ""] = hash.split("?");
  const [, path = "", version] = /^#?\/?(.*?)(?:@(\d+))?$/.exec(named) ?? [];
  const [view = "", ...parts] = path.split("/");
  const at = version === undefined ? {} : { at: Number(version) };
  return (isView(view) ? READ[view]({ parts, at }) : undefined) ?? { view: "inbox" };
}

export const route = new Value<Route>(routeOf(location.hash));
/** The inbox or the overview, whichever was shown last: leaving a session returns to it. */
let list: Route = { view: "inbox" };
/** True while the page shows the address at which it was opened. */
let isFirst = true;
route.subscribe(() => (isFirst = false));
route.subscribe(() => noteList(route.get()));
noteList(route.get());
addEventListener("hashchange", () => route.set(routeOf(location.hash)));

function noteList(at: Route): void {
  if (at.view === "inbox" || at.view === "overview") list = at;
}

/** True if the page was opened by a reload or restored by the browser, so that nobody followed a link to its address. */
export function isReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return isFirst && navigation instanceof PerformanceNavigationTiming && navigation.type !== "navigate";
}

/**
 * One step out (Escape): from a call's machine to the call, from a call or another machine to its session, from a session to
 * `list`.
 */
export function outOf(at: Route): Route | undefined {
  if (at.view === "machine") {
    const { workspace, session, kind, id } = at;
    return { view: "session", workspace, session, ...(kind === "call" && { call: id }) };
  }
  if (at.view === "session") {
    const { workspace, session, call } = at;
    return call === undefined ? list : { view: "session", workspace, session };
  }
  return at.view === "inbox" ? undefined : { view: "inbox" };
}

/** The part of an address after `?`: the filters of a view. */
const queryIn = (hash: string): string => (hash.includes("?") ? hash.slice(hash.indexOf("?") + 1) : "");

/** The value of a filter in the address; empty if the address has none. */
export const filterNamed = (name: string): string =>
  new URLSearchParams(queryIn(location.hash)).get(name) ?? "";

/** Writes a filter into the address, so that a reload or a shared link shows the same. An empty value removes the filter. */
export function keepFilter(name: string, value: string): void {
  const query = new URLSearchParams(queryIn(location.hash));
  if ((query.get(name) ?? "") === value) return;
  if (value === "") query.delete(name);
  else query.set(name, value);
  const [path = ""] = location.hash.split("?");
  history.replaceState(null, "", withQuery(path === "" ? "#/" : path, query.toString()));
}

/**
 * Keeps a view's filters in the page's address.
 * @param read reads the filters from the address. It must not depend on a view's properties or state: after a change of the
 * address, the `read` of the first drawing is called.
 * @returns what `read` found, anew after each change of the address, and a function that writes filters.
 */
export function useFilters<T>(
  read: () => T,
): readonly [T, (filters: Readonly<Record<string, string>>) => void] {
  const [found, show] = useState(read);
  const look = (): void => show(read);
  useEffect(() => {
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const write = (filters: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(filters)) keepFilter(name, value);
    look();
  };
  return [found, write];
}

const withQuery = (path: string, query: string): string => (query === "" ? path : `${path}?${query}`);

export function go(to: Route): void {
  location.hash = hrefOf(to);
  // The browser reports the new address a moment later, but a key pressed right now must act on the new view.
  route.set(routeOf(location.hash));
}

/** Shows a view in place of the present view in the browser's history, so that Back skips the present view. */
export function goInstead(to: Route): void {
  history.replaceState(null, "", hrefOf(to));
  route.set(to);
}

const REMEMBER_MS = 200;
let remembering: ReturnType<typeof setTimeout> | undefined;

/**
 * Writes the reader's place within the view into the address, for a reload and for Back, without a new entry in the browser's
 * history. Browsers limit how often a page may change its address, so if places follow each other within 200 ms, only the last is
 * written.
 */
export function remember(to: Route): void {
  clearTimeout(remembering);
  const [from = ""] = location.hash.split("?");
  // If the page is already going to another view, the reader's place within the old view is not remembered.
  if (routeOf(from).view !== to.view) return;
  noteList(to);
  remembering = setTimeout(() => {
    // A person may have gone to another view before this timer fired.
    if (location.hash.split("?")[0] === from)
      history.replaceState(null, "", withQuery(hrefOf(to), queryIn(location.hash)));
  }, REMEMBER_MS);
}
