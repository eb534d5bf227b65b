// Folding
// Folds and unfolds the calls of subagents in a session, when a person presses a button or a key.
//
//   Owns:          which folds a person has opened or closed, what the key `f` does.
//   Does not own:  which calls are folded (folds.ts), how a fold looks (timeline.tsx).

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../parts/keyboard.ts";
import { goInstead, type Route } from "../route.ts";
import { endOf, folded, foldFor, type Turned } from "./folds.ts";
import { type CallRow, type Fold, type RequestRow, rowsOf } from "./model.ts";

type Place = Extract<Route, { view: "session" }>;

const NONE: Turned = new Map();

/** @param isSought true for a search, which shows all matches unfolded. */
export function useFolds(place: Place, requests: readonly RequestRow[], isSought: boolean) {
  const { call } = place;
  const [turned, turn] = useState(NONE);
  const shown = useMemo(
    () => (isSought ? requests : folded(requests, turned, call)),
    [requests, turned, call, isSought],
  );
  const rows = useMemo(() => shown.flatMap(rowsOf), [shown]);
  const set = (all: readonly (CallRow & { readonly fold: Fold })[], isOpen: boolean): void => {
    turn(new Map([...turned, ...all.map((row) => [String(row.call.id), isOpen] as const)]));
    // The chosen call is never hidden in a fold: if the fold around it is closed, the call that has this fold is chosen instead.
    const above = !isOpen && call !== undefined && all.find((row) => isBelow(rows, row, call));
    if (above) goInstead({ ...place, call: above.call.id });
  };
  const turnOne = (id: string): void => {
    const row = rows.find((each) => each.call.id === id);
    if (isFold(row)) set([row], !row.fold.isOpen);
  };
  // `onFold` is always the same function, because a new function would have every row drawn anew.
  const latest = useRef(turnOne);
  latest.current = turnOne;
  const onFold = useCallback((id: string): void => latest.current(id), []);
  useKeys({
    f: () => {
      if (call !== undefined) return turnOne(foldFor(rows, call)?.call.id ?? "");
      const all = rows.filter(isFold);
      set(
        all,
        all.some(({ fold }) => !fold.isOpen),
      );
    },
  });
  return { requests: shown, onFold };
}

const isFold = (row: CallRow | undefined): row is CallRow & { readonly fold: Fold } =>
  row?.fold !== undefined;

function isBelow(rows: readonly CallRow[], above: CallRow, id: string): boolean {
  const from = rows.indexOf(above);
  return rows.slice(from + 1, endOf(rows, from)).some(({ call }) => call.id === id);
}
