// Moment
// Keeps the chosen moment of a history in the address: a reload, a link and the browser's Back lead to it.
//
//   Owns:          writing the moment into the address, reading it from there.
//   Does not own:  choosing the moment (scrubber.tsx), showing the page at that moment.

import { useEffect } from "preact/hooks";
import { useValue } from "../engine/value.ts";
import { remember, type Route } from "../route.ts";
import type { History } from "./history.ts";

type Place = Extract<Route, { readonly at?: number }>;

/** Keeps the moment and the address equal. @returns the version that is shown; undefined for the newest, whatever it is. */
export function useMoment(history: History, place: Place): number | undefined {
  const moment = useValue(history.moment);
  const { at, ...here } = place;
  useEffect(() => {
    if (at !== undefined) history.moment.set(at);
  }, [history, at]);
  useEffect(() => {
    remember({ ...here, ...(moment !== undefined && { at: moment }) });
  }, [moment, "call" in here ? here.call : undefined]);
  return moment;
}
