// Clients
// The clients that an engine understands, by what the runtime asks about them.
//
//   Owns:          whose a type is, the kind of a message's source, the settings that clients begin with.
//   Does not own:  what is asked of one client alone (client-profile), the list (given by compose).
//
// CLIENTS-1. Whatever is known of a client stands in its profile: one more in the list is served like the others.
// CLIENTS-2. Where nobody names the client, the first of the list is meant.
// CLIENTS-3. What a client lets run without an answer is told to whoever asks, in the words of its profile.

import type { ClientProfile } from "./client-profile.ts";
import { type Configuration, DEFAULT_CONFIGURATION } from "./config.ts";
import type { Message } from "./message.ts";

/** What a client lets run without an answer, a sentence each. */
export interface OpenEnds {
  /** Of its sessions. */
  readonly source: string;
  /** As people call it. */
  readonly called: string;
  readonly open: readonly string[];
}

export class Clients {
  readonly profiles: readonly ClientProfile[];
  /** The types of clients' payloads, which are journalled unchanged. */
  readonly rawTypes: ReadonlySet<string>;
  /** The settings of an engine that nobody sets. */
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

  /** What the installed hooks of each client do not hold, for people who rely on them. */
  openEnds(): readonly OpenEnds[] {
    return this.profiles.flatMap(({ name: source, install, plugin }) => {
      const about = install ?? plugin;
      const open = about?.limits(undefined, "all") ?? [];
      return about === undefined || open.length === 0 ? [] : [{ source, called: about.called, open }];
    });
  }

  /** @returns undefined for a name that no client has. */
  named(name?: string): ClientProfile | undefined {
    return name === undefined ? this.profiles[0] : this.profiles.find((profile) => profile.name === name);
  }

  /** The client whose payloads are of this type. */
  ofType(type: string): ClientProfile | undefined {
    return this.#byType.get(type);
  }

  /** The kind of source, which chooses the cascade: a client's name for whatever is its own. */
  kindOf(message: Message): string {
    return message.door === "own" ? "own" : (this.#byType.get(message.type)?.name ?? message.source);
  }
}
