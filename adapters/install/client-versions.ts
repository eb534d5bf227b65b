// Client versions
// Decides which hooks a version of the client gets.
//
//   Owns:          which events get a hook, and whether each hook waits.
//   Does not own:  the client's list of events (install-form), which version is installed (system).
//
// CLIENT-VERSIONS-1. If settings name an event that a client does not know, the client may ignore all of the settings, as Claude
//     Code up to 2.1.100 does: then no hook runs, and no gate asks. So each version of the client gets hooks only for events that
//     it knows.

import { RefusedError } from "../../runtime/errors/errors.ts";
import { type GateChoice, type HookKind, type InstallForm, isSince } from "../../runtime/install-form.ts";

/** Checks the client's version. @returns the given object. @throws RefusedError CLIENT_TOO_OLD */
export function checkClient<T extends { readonly client?: string | undefined }>(
  { called, oldest }: InstallForm,
  gate: T,
): T {
  const { client } = gate;
  if (client !== undefined && oldest !== undefined && !isSince(client, oldest))
    throw new RefusedError(
      "CLIENT_TOO_OLD",
      `${called} ${client} has no hook for the calls that it asks about.`,
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
