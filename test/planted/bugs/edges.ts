// Edges
// Bugs at the very edge of a bound: one too many, one too few, a part of it left out.

import type { Bug } from "../bug.ts";

export const EDGES: readonly Bug[] = [
  {
    name: "one message too few may wait",
    harm: "A source that sends out of order loses its order at 1,024 waiting messages, not beyond them.",
    edits: [{ file: "runtime/turn/holdback.ts", find: "count <= COUNT_MAX", put: "count < COUNT_MAX" }],
    witness: { file: "test/runtime/turn/holdback.test.ts", claim: "I-37" },
    second: { file: "test/runtime/turn/holdback.model.test.ts", claim: "I-37" },
  },
  {
    name: "inputs that were taken out do not count against the quota",
    harm: "A workspace sends as many large inputs as it likes.",
    edits: [
      {
        file: "runtime/turn/turning-away.ts",
        find: "bytes: more.bytes + more.blobs }",
        put: "bytes: more.bytes }",
      },
    ],
    witness: { file: "test/runtime/quota.kept.test.ts", claim: "TURNING-AWAY-2" },
    second: { file: "test/adapters/http/blobs.test.ts", claim: "TURNING-AWAY-2" },
  },
  {
    name: "a sweep takes the change right behind what is published",
    harm: "An outlet that stands still loses that change for good.",
    edits: [
      {
        file: "runtime/turn/sweep.ts",
        find: "numberIn(key) > published ||",
        put: "numberIn(key) > published + 1 ||",
      },
    ],
    witness: { file: "test/runtime/turn/sweep.bounds.test.ts", claim: "TURN-SWEEP-2" },
    second: { file: "test/runtime/outbound/outbox.test.ts", claim: "TURN-SWEEP-2" },
  },
  {
    name: "a rule holds at the moment it expires",
    harm: "A rule that was to hold until then allows one call more.",
    edits: [{ file: "machines/rules/terms.ts", find: "at < expiresAt;", put: "at <= expiresAt;" }],
    witness: { file: "test/machines/rules/ruling.test.ts", claim: "RULING-4" },
    second: { file: "test/runtime/rows/rule-rows.test.ts", claim: "RULING-4" },
  },
  {
    name: "a rule may be used once more than was said",
    harm: "A rule for one use allows two calls.",
    edits: [{ file: "machines/rules/terms.ts", find: "used < uses;", put: "used <= uses;" }],
    witness: { file: "test/machines/rules/ruling.test.ts", claim: "RULING-4" },
    second: { file: "test/machines/rules/in-force.test.ts", claim: "RULING-4" },
  },
  {
    name: "nine late answers are kept",
    harm: "An approval's row grows with each answer beyond its bound.",
    edits: [
      { file: "machines/evidence/receipt.ts", find: ".slice(1 - OTHERS_MAX)", put: ".slice(-OTHERS_MAX)" },
    ],
    witness: { file: "test/machines/routing/receipt.test.ts", claim: "I-14" },
    second: { file: "test/machines/evidence.test.ts", claim: "I-14" },
  },
  {
    name: "a request hangs a millisecond late",
    harm: "Whoever looks at the very end of the hour finds it running, and no deadline comes again.",
    edits: [
      {
        file: "adapters/request-files/lifecycle.ts",
        find: "now - heardAt < limits.hungAfterMs",
        put: "now - heardAt <= limits.hungAfterMs",
      },
    ],
    witness: { file: "test/adapters/request-files/bounds.test.ts", claim: "LIFECYCLE-4" },
    second: { file: "test/adapters/request-files/clock.test.ts", claim: "LIFECYCLE-4" },
  },
  {
    name: "35 days are too far from the clock",
    harm: "A machine that was off for as long dates all its requests anew.",
    edits: [{ file: "adapters/request-files/dating.ts", find: "<= BELIEVED_MS", put: "< BELIEVED_MS" }],
    witness: { file: "test/adapters/request-files/bounds.test.ts", claim: "DATING-1" },
    second: { file: "test/adapters/request-files/clock.test.ts", claim: "DATING-1" },
  },
  {
    name: "transcripts may take all that their workspace may send",
    harm: "Hooks find no room while a long transcript is read.",
    edits: [
      {
        file: "adapters/transcripts/pace.ts",
        find: "{ messages: 2 * messages, bytes: 2 * bytes }",
        put: "{ messages, bytes }",
      },
    ],
    witness: { file: "test/adapters/transcripts/bounds.test.ts", claim: "TRANSCRIPTS-PACE-1" },
    second: { file: "test/adapters/transcripts/pace.test.ts", claim: "TRANSCRIPTS-PACE-1" },
  },
];
