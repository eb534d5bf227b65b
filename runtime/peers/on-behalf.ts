// On behalf
// What an engine tells another engine about the user for whom it sends a request.
//
//   Owns:          the header that names the user, and its form; the rights that the user has at the other engine.
//   Does not own:  which engine may name users (a token's grant), what a user may do at the engine where they signed in
//                  (adapters/http).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// ON-BEHALF-1. If an engine asks another engine for a user, the user has at the other engine at most the rights of the asking
//     engine's token, and at most the rights that the user has at the asking engine.
// ON-BEHALF-2. The name of a user for whom another engine asks begins with the name of that engine's token. So it is never the
//     name of a user of the engine that is asked.

import { isId } from "../../machines/index.ts";
import { type Access, type Part, PARTS } from "../access-token.ts";
import { RefusedError } from "../errors/errors.ts";

export const FOR_HEADER = "Signalbox-For";

interface User {
  readonly name: string;
  readonly access: Access;
}

const NAME_MAX = 200;

/** The text of the header that tells a peer for which user of this engine a request is made. */
export function forUser({ name, access }: User): string {
  const { parts, workspaces } = access;
  const said = new URLSearchParams({ name, may: PARTS.filter((part) => parts.has(part)).join(",") });
  for (const each of [...(workspaces ?? [])].sort()) said.append("workspace", each);
  return said.toString();
}

/**
 * The user of another engine whom the header names, with the rights that the user has in this engine (ON-BEHALF-1).
 * @param through the holder of the token that the request has.
 * @throws RefusedError NOT_ALLOWED, WRONG_SHAPE
 */
export function userIn(text: string, through: User): User {
  if (through.access.vouches !== true) throw mayNot();
  const said = new URLSearchParams(text);
  const [name, may] = [said.get("name") ?? "", said.get("may") ?? ""];
  const named = said.getAll("workspace");
  const isWrong = !/^[^\p{C}]+$/u.test(name) || name.length > NAME_MAX || !named.every(isId);
  if (isWrong) throw wrongForm();
  const told = may.split(",");
  const has = (part: Part): boolean => through.access.parts.has(part) && told.includes(part);
  const workspaces = bothOf(through.access.workspaces, named.length > 0 ? new Set(named) : undefined);
  if (workspaces?.size === 0) throw nowhere();
  return {
    name: `${through.name}/${name.replace(/^http:/, "")}`,
    access: { parts: new Set(PARTS.filter(has)), ...(workspaces && { workspaces }) },
  };
}

const bothOf = (
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined =>
  one && other ? new Set([...one].filter((each) => other.has(each))) : (one ?? other);

const mayNot = (): RefusedError =>
  new RefusedError(
    "NOT_ALLOWED",
    "This token may not ask on behalf of others.",
    `Leave out ${FOR_HEADER}; or make a token for an engine: \`npx signalbox token add NAME --vouch\`.`,
    FOR_HEADER,
  );

const nowhere = (): RefusedError =>
  new RefusedError(
    "NOT_ALLOWED",
    "The user and the asking engine's token have no workspace in common.",
    "Whoever runs the engine can allow it: `npx signalbox token add NAME --vouch --workspace …`.",
    "workspace",
  );

const wrongForm = (): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `${FOR_HEADER} does not have the form name=…&may=…&workspace=….`,
    "Give the name of a user, and ids of workspaces.",
    FOR_HEADER,
  );
