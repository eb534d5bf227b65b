// Client versions
// Decides which hooks a version of the client gets.
//
//   Owns:          which events get a hook, and whether each hook waits.
//   Does not own:  the client's list of events (install-form), which version is installed (system).
//
// CLIENT-VERSIONS-1. Each version of a client gets hooks only for events that this version knows. If the settings name an
//     unknown event, a client may ignore all of the settings, as Claude Code up to 2.1.100 does: no hook would run, and no
//     call would wait.

import { RefusedError } from "../../runtime/errors/errors.ts";
import { type GateChoice, type HookKind, type InstallForm, isSince } from "../../runtime/install-form.ts";

/** Checks the field `client`, a version. @returns the given object, unchanged. @throws RefusedError CLIENT_TOO_OLD */
export function checkClient<T extends { readonly client?: string | undefined }>(
  { called, oldest }: InstallForm,
  gate: T,
): T {
  const { client } = gate;
  if (client !== undefined && oldest !== undefined && !isSince(client, oldest))
    throw new RefusedError(
      "CLIENT_TOO_OLD",
      `${called} ${client} calls no hook when it asks its user about a call.`,
      `Update the client to ${oldest} or later, then install again.`,
    );
  return gate;
}

/** @param version the client's; undefined for the newest. @returns the events that this version knows. */
export function knownEvents({ events }: InstallForm, version?: string): readonly string[] {
  return Object.entries(events).flatMap(([event, { since }]) =>
    version === undefined || since === undefined || isSince(version, since) ? [event] : [],
  );
}

/** @returns the oldest version of the client that knows exactly these events; undefined if no version does. */
export function clientGiven(form: InstallForm, events: readonly string[]): string | undefined {
  const versions = [form.oldest ?? [], ...Object.values(form.events).map(({ since }) => since ?? [])].flat();
  const given = new Set(events);
  const isExactly = (known: readonly string[]): boolean =>
    known.length === given.size && known.every((event) => given.has(event));
  return versions.find((version) => isExactly(knownEvents(form, version)));
}

export function hookKinds(
  form: InstallForm,
  choice: GateChoice,
  events: readonly string[] = knownEvents(form),
): readonly (readonly [event: string, kind: HookKind])[] {
  return events.map((event) => [event, form.events[event]?.waits === choice ? "gate" : "observe"]);
}
