// Servers
// Bugs in whom an engine or a service takes for its NATS server.

import type { Bug, Witness } from "../bug.ts";

const IMPOSTOR: Witness = { file: "test/adapters/nats-server/impostor.test.ts", claim: "NATS-HANDSHAKE-1" };
const TRUST: Witness = { file: "test/adapters/cli/engine/nats-trust.test.ts", claim: "NATS-SERVERS-1" };
const SERVERS: Witness = { file: "test/adapters/nats/servers.test.ts", claim: "NATS-SERVERS-1" };

export const SERVERS_BELIEVED: readonly Bug[] = [
  {
    name: "a private server is looked at before the first connect alone",
    harm: "Whoever takes its port while it restarts gets the next inputs.",
    edits: [
      {
        file: "adapters/nats/handshake.ts",
        find: "agoMs < PAUSE_MS ? undefined : this.#look();",
        put: 'agoMs < PAUSE_MS ? undefined : "some server";',
      },
      {
        file: "adapters/nats/handshake.ts",
        find: "if (dialled === undefined || this.#look() !== dialled) throw",
        put: "if (dialled === undefined) throw",
      },
    ],
    witness: { file: "test/adapters/nats/handshake.test.ts", claim: "NATS-HANDSHAKE-1" },
    second: IMPOSTOR,
  },
  {
    name: "a ports file proves a server that is dead",
    harm: "After a kill -9 whoever has the port is the engine's server.",
    edits: [
      {
        file: "adapters/nats-server/child.ts",
        find: 'markOf(pid) === mark.join(" ") && listensOn(pid, port) !== false',
        put: "markOf(process.pid) !== undefined && listensOn(process.pid, 0) !== true",
      },
    ],
    witness: { file: "test/adapters/nats-server/child.test.ts", claim: "NATS-SERVER-CHILD-1" },
    second: IMPOSTOR,
  },
  {
    name: "a private server's key is a key like any other",
    harm: "A service signs in with a relay, which then has its connection.",
    edits: [
      {
        file: "adapters/composition/nats-key.ts",
        find: "(await isServersFolder(dir))",
        put: "(await isServersFolder(`${dir}-`))",
      },
    ],
    witness: { file: "test/adapters/composition/nats-key.test.ts", claim: "NATS-KEY-1" },
    second: IMPOSTOR,
  },
  {
    name: "a server on another machine needs no TLS",
    harm: "The password and every input are read on the way.",
    edits: [
      {
        file: "adapters/nats/servers.ts",
        find: "const isNear = hosts.every(isHere);",
        put: "const isNear = hosts.every(isHere) || hosts.length > 0;",
      },
    ],
    witness: SERVERS,
    second: TRUST,
  },
  {
    name: "a server's certificate counts for any host",
    harm: "Whoever has a certificate for a host of their own is any server.",
    edits: [
      {
        file: "adapters/nats/servers.ts",
        find: "errors.includes(undefined) ? undefined : errors[0]",
        put: "errors.length > 0 ? undefined : errors[0]",
      },
    ],
    witness: SERVERS,
    second: TRUST,
  },
];
