// Parts
// The table of routes: which part of a token's access (`view`, `decide`, `emit`, `manage`) each route needs, and what its answer
// is about. The table is checked before a route runs.
//
//   Owns:          the table of routes, refusing a request.
//   Does not own:  a token's access (holders), which workspace a request is about (runtime/workspace-reach), the routes.
//   Decided in:    docs/decisions/0089-a-token-has-parts.md.
//
// PARTS-1. Each route needs exactly one part of a token's access, or none. A limited token cannot use a route that is not in the
//     table.
// PARTS-2. A token that is limited to workspaces cannot use a route whose answer is about the engine as a whole.
// PARTS-3. Through a request that another engine passes on, nobody can sign in or get a ticket at this engine: the browser or the
//     ticket would have the rights of the other engine's token.

import { type Access, EVERYTHING, isSameAccess, type Part } from "../../../runtime/access-token.ts";
import { isByProvider } from "../../../machines/index.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { workspacesIn } from "../../../runtime/workspace-reach.ts";
import { HOOKS_PATH } from "../writing.ts";
import type { Holder } from "./holders.ts";

type About = "a workspace" | "the engine" | "nothing kept";

interface Needs {
  /** The part that a token must have for the route; undefined if every valid token may use the route. */
  readonly part: Part | undefined;
  readonly about: About;
}

const needs = (part: Part | undefined, about: About = "a workspace"): Needs => ({ part, about });

const VIEW = needs("view");
const DECIDE = needs("decide");
const EMIT = needs("emit");
const MANAGE = needs("manage");
const ANYBODY = needs(undefined, "nothing kept");

const ROUTES: Readonly<Record<string, Needs>> = {
  "GET /livez": ANYBODY,
  "GET /readyz": ANYBODY,
  "GET /v1/handshake": ANYBODY,
  "GET /": ANYBODY,
  "GET /app/:name": ANYBODY,
  "GET /v1/me": ANYBODY,
  "GET /sign-in": ANYBODY,
  "GET /sign-in/back": ANYBODY,
  "GET /sign-in/failed": ANYBODY,
  "POST /v1/sign-out": ANYBODY,
  // Every user may make a sign-in link, because it only lets in another device of the same user, with the same rights.
  "POST /v1/sign-in-links": ANYBODY,
  "GET /v1/machines": needs("view", "nothing kept"),
  "GET /v1/agents": needs("view", "nothing kept"),
  "GET /metrics": needs("view", "the engine"),
  "GET /v1/stats/series": needs("view", "the engine"),
  "GET /v1/audit/heads": needs("view", "the engine"),
  "GET /v1/stats": VIEW,
  "GET /v1/journal/:id": VIEW,
  "GET /v1/requests": VIEW,
  "GET /v1/requests/:id": VIEW,
  "GET /v1/sessions": VIEW,
  "GET /v1/sessions/:id": VIEW,
  "GET /v1/sessions/:id/tool-calls": VIEW,
  "GET /v1/sessions/:id/history": VIEW,
  "GET /v1/sessions/:id/rejections": VIEW,
  "GET /v1/sessions/:id/conversation": VIEW,
  "GET /v1/tool-calls/:id": VIEW,
  "GET /v1/approvals": VIEW,
  "GET /v1/approvals/:id": VIEW,
  "GET /v1/approvals/:id/denial": VIEW,
  "GET /v1/approvals/:id/precedents": VIEW,
  // The lines of a file around an approval's edits only help to answer the approval, so the part `view` is not enough.
  "GET /v1/approvals/:id/lines": DECIDE,
  // The engine stores nothing when somebody looks at an approval, so the part `view` is enough.
  "POST /v1/approvals/:id/looking": VIEW,
  "DELETE /v1/approvals/:id/looking": VIEW,
  "POST /v1/approvals/:id/assignment": DECIDE,
  "GET /v1/alarms": VIEW,
  "GET /v1/dead-letters": VIEW,
  "GET /v1/dead-letters/:id": VIEW,
  "GET /v1/rules": VIEW,
  "GET /v1/rules/suggestions": VIEW,
  "GET /v1/rules/:id": VIEW,
  "GET /v1/search": VIEW,
  "GET /v1/answers": VIEW,
  "GET /v1/stream": VIEW,
  // `POST /v1/rules/test` only reports what a rule would have answered, so the part `view` is enough.
  "POST /v1/rules/test": VIEW,
  "POST /v1/approvals/:id/decision": DECIDE,
  "POST /v1/dead-letters/dismissal": DECIDE,
  "POST /v1/events": EMIT,
  "POST /v1/gate": EMIT,
  "POST /v1/approvals": EMIT,
  // The next three routes are for the program that requested the approval: it asks for the answer again and again, reports that
  // it got the answer, and says when it stops waiting.
  "GET /v1/approvals/:id/answer": EMIT,
  "POST /v1/approvals/:id/taken": EMIT,
  "DELETE /v1/approvals/:id/answer": EMIT,
  "POST /v1/logs": EMIT,
  "POST /v1/sample": needs("emit", "the engine"),
  "POST /v1/rules": MANAGE,
  "POST /v1/rules/file": MANAGE,
  "POST /v1/rules/:id/enforce": MANAGE,
  "DELETE /v1/rules/:id": MANAGE,
  "POST /v1/dead-letters/:n/retry": MANAGE,
  "POST /v1/sessions/:id/forget": MANAGE,
  "GET /v1/sweep": needs("manage", "the engine"),
  "POST /v1/sweep": needs("manage", "the engine"),
  "POST /v1/handover": needs("manage", "the engine"),
  "GET /v1/inspect": needs("manage", "the engine"),
};

/** @param route as in `GET /v1/requests/:id`. @returns what the route needs; undefined for a route that is not in the table. */
export function needsOf(route: string): Needs | undefined {
  if (route.startsWith(`POST ${HOOKS_PATH}`)) return EMIT;
  return Object.hasOwn(ROUTES, route) ? ROUTES[route] : undefined;
}

/**
 * @returns true if the route's answer must be at least as new as what another engine on the same journal has shown. False for
 * routes that need `emit` (their callers repeat the request until there is an answer, and that answer never changes), and for
 * routes whose answer is about nothing that the engine keeps.
 */
export function isRead(route = ""): boolean {
  const { part, about } = needsOf(route) ?? ANYBODY;
  return part !== "emit" && about !== "nothing kept" && /^GET |:/.test(route);
}

function isOpen({ parts, workspaces }: Access, { part, about }: Needs): boolean {
  return (part === undefined || parts.has(part)) && (workspaces === undefined || about !== "the engine");
}

/**
 * Checks that the holder may use the route (PARTS-1, PARTS-2).
 * @param route undefined if no route matches.
 * @throws RefusedError NOT_ALLOWED
 */
export function checkPart({ access, name, isPassedOn }: Holder, route: string | undefined): void {
  const wanted = route === undefined ? undefined : needsOf(route);
  if (isPassedOn && (wanted?.part === undefined || route === "GET /v1/inspect")) throw notForPassedOn();
  if (route === undefined || isSameAccess(access, EVERYTHING)) return;
  if (!wanted) throw notAllowed(name, "The engine does not know which right this route needs.");
  if (isOpen(access, wanted)) return;
  const { part } = wanted;
  if (part !== undefined && !access.parts.has(part))
    throw notAllowed(name, `${whoOf(name)} may not ${part}.`, part);
  throw notAllowed(
    name,
    `The request is about all workspaces, and ${whoOf(name).toLowerCase()} is valid in ${workspacesIn(access.workspaces)} only.`,
  );
}

const notForPassedOn = (): RefusedError =>
  new RefusedError(
    "NOT_ALLOWED",
    "This request cannot be made through another engine.",
    "Sign in at this engine, with a token of your own.",
  );

const whoOf = (name: string): string => (isByProvider(name) ? "Your sign-in" : "This token");

function notAllowed(name: string, why: string, part?: string): RefusedError {
  const option =
    part === undefined
      ? "with --may and its rights, and without --workspace"
      : `with --may …,${part}, and with its --workspace options, if it has any`;
  return new RefusedError(
    "NOT_ALLOWED",
    why,
    isByProvider(name)
      ? "Whoever runs the engine can allow it, in the list of people who may sign in (docs/how-to/sign-in.md)."
      : `Whoever runs the engine can allow it: \`npx signalbox token add NAME\` ${option}, on the engine's machine.`,
    "Authorization",
  );
}
