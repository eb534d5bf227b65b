// Client versions
// What a version of the client knows of what is put in, and what a gate cannot hold with it.
//
//   Owns:          since when, for all that differs; the words for what does not hold.
//   Does not own:  which version is there (system), what is put in (hook-events).
//
// CLIENT-VERSIONS-1. A client up to 2.1.100 takes settings with one hook event that it does not know for no settings at all:
//     no hook runs, no gate asks. So a version is given only the events that it knows.
// CLIENT-VERSIONS-2. What a gate does not hold with a version is said as the gate is put in.
// CLIENT-VERSIONS-3. So is what cannot be known with it: an older client writes no word for why a call has no result, and a
//     tool may put out any text, so that text proves nothing.

import { RefusedError } from "../../runtime/errors/errors.ts";
import { EVENTS, type GateChoice } from "./hook-events.ts";

/** The first with a hook for what the client asks about. */
const OLDEST = "2.0.45";
/** The first that asks a `PermissionRequest` hook where it runs headless. */
const HEADLESS_ASKS = "2.1.268";
/** The first that lets a hook say what a failure of its own comes to. */
const FAILURE_CLOSES = "2.1.295";
/** The first whose transcripts have a word of its own for a refusal (`toolDenialKind`). */
const WRITES_REFUSALS = "2.1.186";
/** The first whose sentences for a refusal are not known: decision 62. */
const SENTENCES_UNKNOWN = "2.1.113";

/** @returns true where the version is that one, or newer. */
export function isSince(version: string, since: string): boolean {
  const parts = since.split(".").map(Number);
  for (const [n, part] of version.split(".").map(Number).entries()) {
    const other = parts[n] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}

/** @returns what it was given. @throws RefusedError CLIENT_TOO_OLD */
export function checkClient<T extends { readonly client?: string | undefined }>(gate: T): T {
  const { client } = gate;
  if (client !== undefined && !isSince(client, OLDEST)) throw tooOld(client);
  return gate;
}

/** @param version undefined for the newest. @returns the events that it knows. */
export function knownEvents(version?: string): readonly string[] {
  return Object.entries(EVENTS).flatMap(([event, { since }]) =>
    version === undefined || since === undefined || isSince(version, since) ? [event] : [],
  );
}

/** @returns the oldest version that is given exactly these; undefined where none is. */
export function clientGiven(events: readonly string[]): string | undefined {
  const versions = [OLDEST, ...Object.values(EVENTS).flatMap(({ since }) => since ?? [])];
  const given = new Set(events);
  const isExactly = (known: readonly string[]): boolean =>
    known.length === given.size && known.every((event) => given.has(event));
  return versions.find((version) => isExactly(knownEvents(version)));
}

/** @returns what the gate does not hold with that client, and what is not known with it, a sentence each. */
export function clientLimits(version: string, choice: GateChoice): readonly string[] {
  const is = `Claude Code ${version}`;
  const limits: string[] = [];
  if (choice === "permission" && !isSince(version, HEADLESS_ASKS))
    limits.push(
      `${is} asks no hook where it runs headless (-p): what it would ask about, it denies. Since ${HEADLESS_ASKS} it asks; with --gate all every version does.`,
    );
  if (choice === "all" && !isSince(version, FAILURE_CLOSES))
    limits.push(
      `${is} goes on by its own rules if the gate is killed with its shells. Since ${FAILURE_CLOSES} nothing runs then.`,
    );
  if (!isSince(version, WRITES_REFUSALS)) {
    const which = isSince(version, SENTENCES_UNKNOWN) ? "they" : "those of servers, pages and subagents";
    limits.push(
      `${is} does not write which calls its own rules deny: ${which} are shown as failed. Since ${WRITES_REFUSALS} they are shown as denied.`,
    );
  }
  return limits;
}

const tooOld = (version: string): RefusedError =>
  new RefusedError(
    "CLIENT_TOO_OLD",
    `Claude Code ${version} has no hook for what it asks about.`,
    `Update it to ${OLDEST} or later, then install again.`,
  );
