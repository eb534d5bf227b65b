// Log
// What the stream of changes and the two engines' exports show, held against one another.
//
//   Owns:          what counts as a fault of the log.
//   Does not own:  what the driver did (book), whether decisions are its own (judge).
//
// CLUSTER-LOG-1. No change is published twice, under another id or with another text.
// CLUSTER-LOG-2. The versions of a session follow one another, each once.
// CLUSTER-LOG-3. An approval ends once.
// CLUSTER-LOG-4. Both engines' exports have the same approvals, word by word.
// CLUSTER-LOG-5. Each session whose message was acknowledged is in its own workspace at its partition, and nowhere else; no
//     export has another one.

import { at, textAt } from "../../support/engine/json.ts";
import { jsonLines } from "../../support/processes/program.ts";

/** A message of the stream of changes. */
export interface Published {
  readonly id: string;
  readonly text: string;
}

/** @returns what is wrong with the changes, in words; they are in the stream's order. */
export function wrongIn(published: readonly Published[]): readonly string[] {
  const wrong: string[] = [];
  const ids = new Set<string>();
  const versions = new Map<string, number>();
  const ended = new Map<string, string>();
  for (const { id, text } of published) {
    if (ids.has(id)) wrong.push(`change ${id} was published twice`);
    ids.add(id);
    const change: unknown = JSON.parse(text);
    const session = textAt(change, "sessionId") ?? "";
    const version = Number(at(change, "version"));
    const last = versions.get(session) ?? 0;
    if (version !== last + 1) wrong.push(`session ${session} goes from version ${last} to ${version}`);
    versions.set(session, version);
    if (textAt(change, "entity") !== "approval") continue;
    const [approval = "", to = ""] = [textAt(change, "id"), textAt(change, "to")];
    if (to === "pending" || to === "annotated") continue;
    const before = ended.get(approval);
    if (before !== undefined && before !== to) wrong.push(`approval ${approval} is ${before}, then ${to}`);
    ended.set(approval, to);
  }
  return wrong;
}

/** CLUSTER-LOG-4. */
export function differing(one: string, other: string): readonly string[] {
  const approvals = (text: string): ReadonlyMap<string, string> =>
    new Map(
      jsonLines(text)
        .filter((line) => textAt(line, "kind") === "approval")
        .map((line) => [textAt(line, "id") ?? "", JSON.stringify(line)]),
    );
  const [here, there] = [approvals(one), approvals(other)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((id) => here.get(id) !== there.get(id))
    .map((id) => `approval ${id} is another one in the two exports`);
}

/**
 * CLUSTER-LOG-5. @param exports of each partition, from 0 on. @param acknowledged the workspace of each session.
 * @param homeOf the partition of a workspace.
 */
export function astray(
  exports: readonly string[],
  acknowledged: ReadonlyMap<string, string>,
  homeOf: (workspace: string) => number,
): readonly string[] {
  const places = new Map<string, readonly string[]>();
  for (const [n, text] of exports.entries())
    for (const line of jsonLines(text)) {
      if (textAt(line, "kind") !== "session") continue;
      const [id = "", workspace] = [textAt(line, "id"), textAt(line, "workspace")];
      places.set(id, [...(places.get(id) ?? []), `${workspace} at p${n}`]);
    }
  return [...new Set([...acknowledged.keys(), ...places.keys()])].flatMap((id) => {
    const workspace = acknowledged.get(id);
    const wanted = workspace === undefined ? "nowhere" : `${workspace} at p${homeOf(workspace)}`;
    const found = places.get(id)?.join(", ") ?? "nowhere";
    return found === wanted ? [] : [`session ${id} is in ${found}, and belongs in ${wanted}`];
  });
}
