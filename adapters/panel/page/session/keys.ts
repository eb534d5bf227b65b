// Keys
// The keys on a session's page, which lead from call to call, to a call's machine, into the search, and back.
//
//   Owns:          what each key does; moving the focus to a call's row when its details are closed.
//   Does not own:  which rows a session has (model.ts).

import { useKeys } from "../parts/keyboard.ts";
import { type RequestRow, rowsOf } from "./model.ts";
import { go, goInstead, type Route } from "../route.ts";

type Place = Extract<Route, { view: "session" }>;

/** @param requests the requests, in the order in which the page shows them. */
export function useCallKeys({ workspace, session, call }: Place, requests: readonly RequestRow[]): void {
  const calls: readonly string[] = requests.flatMap(rowsOf).map((row) => row.call.id);
  const at = call === undefined ? -1 : calls.indexOf(call);
  const home = { view: "session", workspace, session } as const;
  const step = (by: 1 | -1): void => {
    const next = calls[at < 0 ? (by > 0 ? 0 : calls.length - 1) : at + by];
    if (next === undefined) return;
    const to = { ...home, call: next };
    // Only the first step to a call makes an entry in the browser's history; further steps replace that entry. So one press on
    // Back leads out of the calls.
    if (call === undefined) go(to);
    else goInstead(to);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    m: () => {
      const [kind, id] = call === undefined ? (["session", session] as const) : (["call", call] as const);
      go({ view: "machine", workspace, session, kind, id });
    },
    "/": () => document.querySelector<HTMLElement>(".filter input")?.focus(),
    ...(call !== undefined && { Escape: () => close(home) }),
  });
}

/** Closes a call's details and focuses the call's row. If the row moves because the details above it go, scrolls it into view. */
export function close(home: Place): void {
  const row = rowLink();
  row?.focus({ preventScroll: true });
  go(home);
  requestAnimationFrame(() => row?.scrollIntoView({ block: "nearest" }));
}

export const rowLink = (): HTMLElement | null => document.querySelector(".call[aria-current=true] a");
