// Owned
// Who owned each entry of a journal, and what each led to, found from the whole journal at once.
//
//   Owns:          that reckoning, which uses none of the rules of runtime/cluster.
//   Does not own:  playing a history (replicas).

import type { Effect, Said } from "./replicas.ts";

/** What a store says of a journal, found without the rules of runtime/cluster. */
interface Owned {
  readonly rows: readonly number[];
  readonly stale: number;
  readonly term: number;
}

/** Who owned each entry, from the whole journal at once: the first of each number, as long as the numbers follow. */
export function ownedIn(log: readonly Said[]): Owned & { readonly ownerAt: readonly (string | undefined)[] } {
  const terms: { start: string; at: number }[] = [];
  for (let n = 1; ; n += 1) {
    const from = terms.at(-1)?.at ?? 0;
    const at = log.findIndex((said, index) => index >= from && said.type === "term.begun" && said.term === n);
    const found = log[at];
    if (found?.type !== "term.begun") break;
    terms.push({ start: found.start, at: at + 1 });
  }
  const newest = (position: number) => terms.filter(({ at }) => at <= position).length;
  const ownerAt = log.map((_, index) => terms[newest(index + 1) - 1]?.start);
  const rows = log.flatMap((said, index) => {
    const position = index + 1;
    const isOf = said.type === "decision" || (said.type === "timer.fired" && said.term === newest(position));
    return isOf || terms.some(({ at }) => at === position) ? [position] : [];
  });
  return { rows, ownerAt, stale: log.length - rows.length, term: terms.length };
}

/** What each entry leads to on every store: a deadly one is set aside. */
export function effectsOf(log: readonly Said[]): readonly Effect[] {
  const { rows } = ownedIn(log);
  const done = new Set(rows);
  return log.map((said, index) => {
    if (said.type === "decision" && said.isDeadly) return "aside";
    return done.has(index + 1) ? "done" : "nothing";
  });
}
