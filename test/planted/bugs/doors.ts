// Doors
// Bugs in what is believed of those outside.

import type { Bug } from "../bug.ts";

export const DOORS: readonly Bug[] = [
  {
    name: "the machine's own token counts through a proxy",
    harm: "Whoever reaches the proxy is the machine's user.",
    edits: [
      {
        file: "adapters/http/access/guard.ts",
        find: "if (!isFromHere || isForwarded) throw notNear();",
        put: "if (!isFromHere) throw notNear();",
      },
    ],
    witness: { file: "test/adapters/http/access/proxy.test.ts", claim: "GUARD-3" },
  },
  {
    name: "a seal does not cover the subject",
    harm: "The engine's word for one session is played back to another.",
    edits: [
      {
        file: "adapters/nats/seal.ts",
        find: "${VERSION}\\n${subject}\\n${aside}\\n",
        put: "${VERSION}\\n${subject.slice(0, 0)}\\n${aside}\\n",
      },
    ],
    witness: { file: "test/adapters/nats/wire.test.ts", claim: "SEAL-1" },
  },
  {
    name: "the journal's line makes a new id for each try",
    harm: "A message whose acknowledgement was lost stands in the journal twice.",
    edits: [
      {
        file: "adapters/nats/line.ts",
        find: "    return this.#acks.publish({ stream: STREAMS.journal, subject, body, id, headers });",
        put: "    id += String(this.#round);\n    return this.#acks.publish({ stream: STREAMS.journal, subject, body, id, headers });",
      },
    ],
    witness: { file: "test/adapters/nats/server/stalled.test.ts", claim: "LINE-1" },
  },
];
