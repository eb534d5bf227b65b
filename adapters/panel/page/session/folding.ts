// Folding
// Folds and unfolds the calls of subagents in a session, by buttons and by a key.
//
//   Owns:          which folds a person has opened or closed, what the key does.
//   Does not own:  which calls are folded (folds.ts), how a fold looks (timeline.tsx).

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../parts/keyboard.ts";
import { goInstead, type Route } from "../route.ts";
import { endOf, folded, foldFor, type Turned } from "./folds.ts";
import type { CallRow, Fold, RequestRow } from "./model.ts";

type Place = Extract<Route, { view: "session" }>;

interface Folded {
  readonly requests: readonly RequestRow[];
  /** Folds or unfolds the calls below a call. It is always the same function: a new one would have every row drawn anew. */
  readonly onFold: (id: string) => void;
}

const NONE: Turned = new Map();

/** Folds calls, and lets a person unfold them. @param isSought true for a search, which shows all matches unfolded. */
export function useFolds(place: Place, requests: readonly RequestRow[], isSought: boolean): Folded {
  const { call } = place;
  const [turned, turn] = useState(NONE);
  const shown = useMemo(
    () => (isSought ? requests : folded(requests, turned, call)),
    [requests, turned, call, isSought],
  );
  const rows = useMemo(() => shown.flatMap(({ batches }) => batches.flatMap((batch) => batch.rows)), [shown]);
  const set = (all: readonly (CallRow & { readonly fold: Fold })[], isOpen: boolean): void => {
    turn(new Map([...turned, ...all.map((row) => [String(row.call.id), isOpen] as const)]));
    // The chosen call is never folded: once its fold closes, the call above it is chosen instead.
    const above = !isOpen && call !== undefined && all.find((row) => isBelow(rows, row, call));
    if (above) goInstead({ ...place, call: above.call.id });
  };
  const turnOne = (id: string): void => {
    const row = rows.find((each) => each.call.id === id);
    if (isFold(row)) set([row], !row.fold.isOpen);
  };
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
