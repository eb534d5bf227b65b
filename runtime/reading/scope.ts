// Scope
// Restricts a query to the workspaces that its sender may see.
//
//   Owns:          which queries can be restricted, adding the workspace to a query, which answers may be shown.
//   Does not own:  which caller may see which workspace (the door of the query), the queries (query-table).
//
// SCOPE-1. A caller that is restricted to a workspace learns nothing of another workspace, not even that the other workspace
//     exists.

import { defined } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import { homeWithin, oneWithin, placeWithin } from "../workspace-reach.ts";
import type { Parameters } from "./parameters.ts";

/** The workspace, or the workspaces, that a caller may see. */
export type Scope = string | ReadonlySet<string>;

export interface Among {
  /** The workspaces to search; undefined if a parameter names one, or if the caller may see all. */
  readonly workspaces?: readonly string[];
}

interface Range {
  /** The workspace to search, if there is only one; undefined if there are several, or if the caller may see all. */
  readonly place?: string;
  readonly among: Among;
}

/**
 * The parameters that name one item. If a query has one of them and names no workspace, the workspace that has the item answers.
 */
const IDS: readonly string[] = ["id", "session", "n"];

const OF_ALL: readonly string[] = ["entry.get", "stats"];

/**
 * @param merges true if the answer may list things of several workspaces.
 * @param look tells whether a workspace has the thing that the query is about.
 * @throws RefusedError NOT_ALLOWED for a workspace that the caller may not see; WORKSPACE_NEEDED.
 */
export async function rangeOf(
  scope: Scope | undefined,
  said: Parameters,
  {
    known,
    merges,
    look,
  }: {
    readonly known: readonly string[];
    readonly merges: boolean;
    readonly look: (workspace: string) => Promise<boolean>;
  },
): Promise<Range> {
  const within = (place: string | undefined): Range => ({ among: {}, ...defined({ place }) });
  if (scope === undefined || typeof scope === "string") return within(scope);
  const among = { among: { workspaces: [...scope].sort() } };
  // If an answer may list things of several workspaces, and the query has no parameter `workspace`, the answer covers all
  // workspaces that the caller may see.
  if (merges && !known.includes("workspace")) return among;
  const named = said["workspace"];
  const place = placeWithin(scope, named);
  if (place !== undefined) return within(place);
  const isAboutOne = IDS.some((name) => said[name] !== undefined) && known.includes("workspace");
  if (!isAboutOne) return merges ? among : within(oneWithin(scope, named));
  const found = new Set<string>();
  for (const each of scope) if (await look(each)) found.add(each);
  return within(homeWithin(scope, named, (each) => found.has(each)));
}

/** @throws RefusedError NO_SUCH_QUERY for a query about all workspaces, OTHER_WORKSPACE for a query that names another one. */
export function keptTo(
  workspace: string,
  op: string,
  known: readonly string[],
  parameters: Parameters,
): Parameters {
  if (OF_ALL.includes(op)) throw ofAll(op, workspace);
  const named = parameters["workspace"];
  if (named !== undefined && named !== workspace) throw otherWorkspace(workspace);
  return known.includes("workspace") ? { ...parameters, workspace } : parameters;
}

/**
 * True if an answer may be shown to a caller who may see only this workspace: the query has a parameter `workspace`, so it
 * covered only this workspace; or the answer names this workspace.
 */
export const isShownIn = (workspace: string, known: readonly string[], body: object): boolean =>
  known.includes("workspace") || ("workspace" in body && body.workspace === workspace);

const ofAll = (op: string, workspace: string): RefusedError =>
  new RefusedError(
    "NO_SUCH_QUERY",
    `The query ${op} covers all workspaces, but this NATS subject is for ${workspace} only.`,
    "Send this query on the subject for all workspaces, as a user who may publish there.",
  );

const otherWorkspace = (workspace: string): RefusedError =>
  new RefusedError(
    "OTHER_WORKSPACE",
    `This NATS subject is for the workspace ${workspace} only.`,
    "Leave out the parameter workspace, or send the query on the other workspace's subject.",
    "workspace",
  );
