// Accounts
// A nats-server with accounts: each has its own streams, like a server of its own.
//
//   Owns:          the accounts, the address of each.
//   Does not own:  the server (server.ts).

import { configuredServer } from "./configured.ts";
import type { NatsServer } from "./server.ts";

export interface NatsAccounts {
  /** The address of an unused account. @throws Error if all were handed out. */
  next(): string;
  dispose(): Promise<void>;
}

/** Streams reserve their full size in each account separately. */
const ROOM = "1000TB";

export async function natsAccounts(count: number): Promise<NatsAccounts> {
  const names = Array.from({ length: count }, (_, n) => `a${n}`);
  const accounts = names.map(
    (name) => `${name}: { jetstream: enabled, users: [{ user: ${name}, password: p }] }`,
  );
  const server: NatsServer = await configuredServer(
    `jetstream { max_file_store: ${ROOM} }\naccounts {\n${accounts.join("\n")}\n}`,
  );
  return {
    next() {
      const name = names.shift();
      if (name === undefined) throw new Error(`All ${count} accounts were given out.`);
      return server.url.replace("//", `//${name}:p@`);
    },
    dispose: () => server.dispose(),
  };
}
