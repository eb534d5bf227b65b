// Workspaces
// The workspaces in which rules can be made: those of the newest sessions, and those that have rules.
//
//   Owns:          which there are, which is chosen and its place in the address.
//   Does not own:  what is done in them (writing/form.tsx, suggested.tsx).

import { useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";
import { filterNamed, keepFilter } from "../route.ts";

/** So many of the newest sessions say which workspaces there are. */
const SESSIONS_MAX = 200;
const FILTER = "workspace";

export interface Workspaces {
  /** The newest session's comes first. */
  readonly offered: readonly string[];
  /** Undefined where none is known yet. */
  readonly chosen: string | undefined;
  readonly choose: (workspace: string) => void;
}

export function useWorkspaces(rules: readonly RuleView[]): Workspaces {
  const sessions = useAsked([], (signal) =>
    ask<{ items: readonly SessionView[] }>("/v1/sessions", { limit: SESSIONS_MAX }, signal),
  );
  const known: readonly string[] = [
    ...new Set([...(sessions?.items ?? []), ...rules].map(({ workspace }) => workspace)),
  ];
  const [named, name] = useState(() => filterNamed(FILTER));
  const offered = named === "" || known.includes(named) ? known : [named, ...known];
  return {
    offered,
    chosen: named === "" ? offered[0] : named,
    choose(workspace) {
      keepFilter(FILTER, workspace);
      name(workspace);
    },
  };
}
