// Rules
// Shows the stored rules to queries.
//
//   Owns:          which rows are read for a list of rules; the state that is shown for a rule.
//   Does not own:  the content of a rule (machines/rules), making rules (door/rule-door).

import { isId, isInForce, NOTHING_GUARDED, type WorkspaceId } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import { type KeptRule, placeOfRule } from "../rows/rule-rows.ts";
import type { Store } from "../ports.ts";
import { after, keys } from "../rows/keys.ts";
import type { AtPeer } from "../rows/views.ts";
import type { ListFilter } from "./filters.ts";
import type { Reader } from "./reader.ts";
import { type Suggestions, suggestions, type SuggestionWish } from "./suggesting/suggestions.ts";
import { lostUnder, mergedRows, page, type Page, rowsUnder, type Slice } from "./paging.ts";

export const RULE_STATES = ["in-force", "ended"] as const;

const RULES_MAX = 200;

export interface RuleView extends KeptRule, AtPeer {
  readonly state: "in-force" | "expired" | "used-up" | "removed";
}

type RuleFilter = Pick<ListFilter, "workspace" | "workspaces" | "state">;

export function ruleView(rule: KeptRule, at: number): RuleView {
  return { ...rule, state: rule.ended?.why ?? (isInForce(rule, at) ? "in-force" : "expired") };
}

export class RuleQueries {
  readonly #engine: Engine;
  readonly #reader: Reader;

  constructor(engine: Engine, reader: Reader) {
    this.#engine = engine;
    this.#reader = reader;
  }

  /** Lists rules, the newest first. @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  list({ workspace, workspaces, state = "in-force" }: RuleFilter, slice: Slice = {}): Page<RuleView> {
    if (workspace !== undefined && !isId(workspace)) return { items: [] };
    const [all, of] = state === "ended" ? [keys.allEnded, keys.endedOf] : [keys.allRules, keys.rulesOf];
    const { store } = this.#reader;
    const places = workspace === undefined ? (workspaces ?? workspacesUnder(store, all)) : [workspace];
    const prefixes = [...places].filter((each) => isId(each)).map((each) => of(each));
    const { at } = this.#engine.meta();
    // The cast is safe: only rows of rules have keys with these prefixes.
    const show = (text: string): RuleView => ruleView(JSON.parse(text) as KeptRule, at);
    const rows = mergedRows(prefixes.map((prefix) => rowsUnder(store, prefix)));
    return page(rows, slice, show, lostUnder(store, prefixes, this.#engine.defects));
  }

  /** Suggests rules that would have answered as people did. Adds to `wish` the facts that only the engine knows. */
  suggested(wish: Pick<SuggestionWish, "workspace" | "project" | "since" | "limit">): Promise<Suggestions> {
    const { configuration, at } = this.#engine.meta();
    const { guarded = NOTHING_GUARDED } = configuration;
    const { items: rules } = this.list({ workspace: wish.workspace }, { limit: RULES_MAX });
    return suggestions(this.#reader, { ...wish, guarded, rules, at });
  }

  /** A rule, in force or ended; undefined if it is unknown or was removed from the store. */
  get(id: string, { workspace }: RuleFilter = {}): RuleView | undefined {
    const rule = ruleIn(this.#reader, id, workspace);
    return rule && ruleView(rule, this.#engine.meta().at);
  }
}

/** The workspaces that have rows under a prefix; the rest of each key begins with the workspace. */
function* workspacesUnder(store: Pick<Store, "range">, prefix: string): Generator<string> {
  for (let gte = prefix; ;) {
    const [row] = store.range({ gte, lt: after(prefix), limit: 1 });
    const [workspace] = row?.[0].slice(prefix.length).split("/") ?? [];
    if (workspace === undefined) return;
    yield workspace;
    gte = after(`${prefix}${workspace}/`);
  }
}

/** A stored rule, in force or ended; undefined if it is unknown or was removed from the store. */
export function ruleIn(reader: Reader, id: string, workspace?: string): KeptRule | undefined {
  const place = placeOfRule(id);
  const home =
    place === undefined ? undefined : (reader.row(keys.ruleHome(place)) as WorkspaceId | undefined);
  if (place === undefined || home === undefined || (workspace ?? home) !== home) return undefined;
  const row = reader.row(keys.rule(home, place)) ?? reader.row(keys.ended(home, place));
  return row as KeptRule | undefined;
}
