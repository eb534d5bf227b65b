// Workspaces
// The workspaces in which a person can make rules: those of the newest sessions, and those that already have rules.
//
//   Owns:          which workspaces are offered, which workspace is chosen; storing the choice in the page's address.
//   Does not own:  what a person does in the chosen workspace (writing/form.tsx, suggested.tsx).

import { useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { AtPeer, SessionView } from "../../../../runtime/rows/views.ts";
import { visible } from "../../../../runtime/text/visible.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";
import { filterNamed, keepFilter } from "../route.ts";

/** How many of the newest sessions are read for their workspaces. */
const SESSIONS_MAX = 200;
const FILTER = "workspace";

export interface Workspaces {
  /** The workspaces offered, each with its name for people; the workspace of the newest session comes first. */
  readonly names: Readonly<Record<string, string>>;
  readonly chosen: string;
  readonly choose: (workspace: string) => void;
}

/**
 * True for an item of the engine that serves the page. This view makes rules only at this engine: for another engine, a person
 * makes a rule on the card of an approval.
 */
export const isOwn = ({ engine }: AtPeer): boolean => engine === undefined;

/** @returns the workspaces that a rule can be made for; undefined while no workspace is known. */
export function useWorkspaces(rules: readonly RuleView[]): Workspaces | undefined {
  const sessions = useAsked([], (signal) =>
    ask<{ items: readonly SessionView[] }>("/v1/sessions", { limit: SESSIONS_MAX }, signal),
  );
  const known: readonly string[] = [
    ...new Set([...(sessions?.items.filter(isOwn) ?? []), ...rules].map(({ workspace }) => workspace)),
  ];
  const [named, name] = useState(() => filterNamed(FILTER));
  const offered = named === "" || known.includes(named) ? known : [named, ...known];
  const chosen = named === "" ? offered[0] : named;
  if (chosen === undefined) return undefined;
  return {
    names: Object.fromEntries(offered.map((each) => [each, visible(each)])),
    chosen,
    choose(workspace) {
      keepFilter(FILTER, workspace);
      name(workspace);
    },
  };
}
