// Filter
// Filters the list of approvals by tool, session, workspace, risk, assignee and text. The filters are in the page's address.
//
//   Owns:          the filters, which cards match a filter, the values to choose from.
//   Does not own:  the fields for the filters (filters.tsx), the form of the address (route.ts).
//
// FILTER-1. A key neither answers nor picks a card that the filters hide. Only an answer to "all alike" includes hidden cards:
//     before a person gives the answer, a sheet lists every approval that the answer is for.

import { Value } from "../../engine/value.ts";
import { isMe } from "../../engine/me.ts";
import { filterNamed, keepFilter, route } from "../../route.ts";
import type { Card } from "../card/card.ts";
import { risksOfCard } from "../risk/of-card.ts";

const FILTERS = ["text", "tool", "session", "workspace", "risk", "assignee"] as const;
export type FilterName = (typeof FILTERS)[number];
/** The value of each filter; an empty value matches everything. */
export type Filter = Readonly<Record<FilterName, string>>;

const read = (): Filter => ({
  text: filterNamed("text"),
  tool: filterNamed("tool"),
  session: filterNamed("session"),
  workspace: filterNamed("workspace"),
  risk: filterNamed("risk"),
  assignee: filterNamed("assignee"),
});

export const filter = new Value<Filter>(read());
route.subscribe(() => {
  if (route.get().view === "inbox") filter.set(read());
});

export function setFilter(name: FilterName, value: string): void {
  keepFilter(name, value);
  filter.set({ ...filter.get(), [name]: value });
}

export function setFilters(next: Filter): void {
  for (const name of FILTERS) setFilter(name, next[name]);
}

export const clearFilter = (): void => setFilters(NOTHING);

const NOTHING: Filter = { text: "", tool: "", session: "", workspace: "", risk: "", assignee: "" };

/** A stored value as a filter; undefined if it is none. A filter that an older version did not store matches everything. */
export function filterFrom(kept: unknown): Filter | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const by: Filter = { ...NOTHING, ...kept };
  return FILTERS.every((name) => typeof by[name] === "string") ? by : undefined;
}

export const isFiltered = (by: Filter): boolean => FILTERS.some((name) => by[name] !== "");

export function matches(card: Card, by: Filter): boolean {
  const { tool, workspace, assigned } = card.approval;
  return (
    (by.tool === "" || by.tool === tool) &&
    (by.workspace === "" || by.workspace === workspace) &&
    (by.session === "" || by.session === sessionKeyOf(card)) &&
    (by.assignee === "" || by.assignee === assigned?.to) &&
    (by.risk === "" || risksOfCard(card).some(({ id }) => id === by.risk)) &&
    by.text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => textOf(card).includes(word))
  );
}

export const sessionKeyOf = ({ approval: { workspace, sessionId } }: Card): string =>
  `${workspace}/${sessionId}`;

const texts = new WeakMap<Card, string>();

function textOf(card: Card): string {
  const known = texts.get(card);
  if (known !== undefined) return known;
  const { tool, sessionId, id, input } = card.approval;
  const said = [tool, JSON.stringify(input), card.call?.intent?.text, card.title, card.cwd, sessionId, id];
  const text = said.join("\n").toLowerCase();
  texts.set(card, text);
  return text;
}

type Option = readonly [value: string, label: string];

export function optionsOf(name: Exclude<FilterName, "text">, cards: readonly Card[]): readonly Option[] {
  const found = new Map(cards.flatMap((card) => pairsOf(name, card)));
  return [...found].toSorted(([, a], [, b]) => a.localeCompare(b));
}

function pairsOf(name: Exclude<FilterName, "text">, card: Card): readonly Option[] {
  const { tool, workspace, sessionId, assigned } = card.approval;
  switch (name) {
    case "tool":
      return [[tool, tool]];
    case "workspace":
      return [[workspace, workspace]];
    case "session":
      return [[sessionKeyOf(card), card.title ?? sessionId]];
    case "assignee":
      return assigned ? [[assigned.to, `Assigned to ${isMe(assigned.to) ? "me" : assigned.to}`]] : [];
    case "risk":
      return risksOfCard(card).map(({ id, label }) => [id, label]);
  }
}
