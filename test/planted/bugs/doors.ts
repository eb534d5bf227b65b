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
  {
    name: "a limited token without its grant opens everything",
    harm: "A lost file makes a screen on the wall a key to all.",
    edits: [
      {
        file: "adapters/data-folder/grants.ts",
        find: "return text.startsWith(LIMITED) ? NOTHING : undefined;",
        put: "return text.startsWith(LIMITED) ? undefined : undefined;",
      },
    ],
    witness: { file: "test/adapters/data-folder/grants.test.ts", claim: "GRANTS-1" },
  },
  {
    name: "an id is looked for everywhere, whoever asks",
    harm: "Somebody of one workspace reads and answers another's approvals.",
    edits: [
      {
        file: "runtime/reach.ts",
        find: "return named ?? (others.length === 0 ? only : undefined);",
        put: "return named ?? (others.length === 0 ? undefined : undefined);",
      },
      {
        file: "runtime/reach.ts",
        find: "if (reach === undefined || place !== undefined) return place;",
        put: "if (reach === undefined || place === undefined || isThere(place)) return place;",
      },
    ],
    witness: { file: "test/adapters/http/access/reach.test.ts", claim: "REACH-1" },
    second: { file: "test/adapters/http/access/reach.test.ts", claim: "WORKSPACE-3" },
  },
  {
    name: "the stream is not kept to its follower's workspaces",
    harm: "Whoever may see one workspace hears of all.",
    edits: [
      {
        file: "adapters/http/followers.ts",
        find: "isWithin(reach, change.workspace) &&",
        put: "isWithin(reach && undefined, change.workspace) &&",
      },
    ],
    witness: { file: "test/adapters/http/access/reach.test.ts", claim: "FOLLOWERS-3" },
  },
];
