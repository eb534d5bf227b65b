// Clients
// The clients that an engine supports.
//
//   Owns:          which client a type of message belongs to, the kind of a message's source, the default settings of clients.
//   Does not own:  the facts about one client (client-profile), the list of clients (compose passes it).
//
// CLIENTS-1. Everything about a client is in its profile, so adding a profile to the list is enough to support another client.
// CLIENTS-2. If a message or command names no client, the first client of the list is meant.
// CLIENTS-3. A query lists the calls that each client runs without an answer, in the words of the client's profile.

import type { ClientProfile } from "./client-profile.ts";
import { type Configuration, DEFAULT_CONFIGURATION } from "./config.ts";
import type { Message } from "./message.ts";

/** The calls that a client runs without waiting for an answer, each described in a sentence. */
export interface OpenEnds {
  /** The name that the client's sessions have as their source. */
  readonly source: string;
  /** The client's name, as people write it. */
  readonly called: string;
  readonly open: readonly string[];
}

export class Clients {
  readonly profiles: readonly ClientProfile[];
  /** The types of clients' payloads, which are journalled unchanged. */
  readonly rawTypes: ReadonlySet<string>;
  readonly defaults: Configuration;
  readonly #byType: ReadonlyMap<string, ClientProfile>;

  constructor(profiles: readonly ClientProfile[]) {
    this.profiles = profiles;
    const types = profiles.flatMap((profile) =>
      Object.keys(profile.translators).map((type) => [type, profile] as const),
    );
    this.#byType = new Map(types);
    this.rawTypes = new Set(this.#byType.keys());
    const cascades = Object.fromEntries(profiles.map(({ name, cascade }) => [name, cascade]));
    const cascade = { ...DEFAULT_CONFIGURATION.cascade, ...cascades };
    this.defaults = { ...DEFAULT_CONFIGURATION, cascade };
  }

  /** For each client, the calls that its installed hooks do not hold. People who rely on these hooks should know them. */
  openEnds(): readonly OpenEnds[] {
    return this.profiles.flatMap(({ name: source, install, plugin }) => {
      const about = install ?? plugin;
      const open = about?.limits(undefined, "all") ?? [];
      return about === undefined || open.length === 0 ? [] : [{ source, called: about.called, open }];
    });
  }

  /** @returns the client with the name; the first client if no name is given; undefined for a name that no client has. */
  named(name?: string): ClientProfile | undefined {
    return name === undefined ? this.profiles[0] : this.profiles.find((profile) => profile.name === name);
  }

  ofType(type: string): ClientProfile | undefined {
    return this.#byType.get(type);
  }

  /** The kind of source, which chooses the cascade: for a client's payloads, the client's name. */
  kindOf(message: Message): string {
    return message.door === "own" ? "own" : (this.#byType.get(message.type)?.name ?? message.source);
  }
}
