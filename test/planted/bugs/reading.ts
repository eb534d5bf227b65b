// Reading
// Bugs in what is read of files and of telemetry: in which order, how far, and as what.

import type { Bug } from "../bug.ts";

export const READING: readonly Bug[] = [
  {
    name: "what was looked at of half a line is kept for another file",
    harm: "Lines of a transcript that was replaced while it was written are lost.",
    edits: [
      { file: "adapters/transcripts/watched-file.ts", find: "    this.#begun = NOTHING_BEGUN;\n", put: "" },
      {
        file: "adapters/transcripts/watched-file.ts",
        find: "(await isBegun(file, place, this.#begun)) ? this.#begun : NOTHING_BEGUN",
        put: "this.#begun",
      },
    ],
    witness: { file: "test/adapters/transcripts/watched-file.test.ts", claim: "TRANSCRIPTS-WATCHED-FILE-3" },
    second: { file: "test/adapters/transcripts/rewritten.test.ts", claim: "TRANSCRIPTS-WATCHED-FILE-3" },
  },
  {
    name: "a spool is taken by milliseconds",
    harm: "What hooks said within one millisecond is applied in the order of their processes.",
    edits: [
      {
        file: "adapters/spool/spool.ts",
        find: "({ mtimeNs }) => mtimeNs,",
        put: "({ mtimeNs }) => mtimeNs / 1_000_000n,",
      },
    ],
    witness: { file: "test/adapters/spool/spool.test.ts", claim: "SPOOL-1" },
    second: { file: "test/adapters/spool/spool.order.test.ts", claim: "SPOOL-1" },
  },
  {
    name: "a clock that went back takes a request's last update back",
    harm: "A request that was just heard of looks silent, and is ended.",
    edits: [
      {
        file: "adapters/request-files/lifecycle.ts",
        find: "lastUpdatedAt: Math.max(now, request.lastUpdatedAt)",
        put: "lastUpdatedAt: now",
      },
      {
        file: "adapters/request-files/lifecycle.ts",
        find: "const now = Math.max(clock, file.request.lastUpdatedAt);",
        put: "const now = clock;",
      },
    ],
    witness: { file: "test/adapters/request-files/bounds.test.ts", claim: "LIFECYCLE-3" },
    second: { file: "test/adapters/request-files/tracker.test.ts", claim: "LIFECYCLE-3" },
  },
  {
    name: "a call whose result came just before its hook had ended",
    harm: "Each Post without an id finds no words.",
    edits: [{ file: "adapters/intent/call.ts", find: "at + LATE_MS < this.#given", put: "at < this.#given" }],
    witness: { file: "test/adapters/intent/matching.test.ts", claim: "S2.15" },
    second: { file: "test/adapters/intent/recordings.test.ts", claim: "S2.27" },
  },
  {
    name: "the first text of a message is taken for the nearest one",
    harm: "A call is shown under words about another one.",
    edits: [
      {
        file: "adapters/intent/words.ts",
        find: "inOrder(b.entry, a.entry) || b.n - a.n",
        put: "inOrder(a.entry, b.entry) || a.n - b.n",
      },
    ],
    witness: { file: "test/adapters/intent/words.test.ts", claim: "S2.4" },
    second: { file: "test/adapters/intent/places.test.ts", claim: "S2.4" },
  },
  {
    name: "a line is said to begin at the break before it",
    harm: "Whoever opens the transcript at that place reads no line there.",
    edits: [
      {
        file: "adapters/intent/lines-backwards.ts",
        find: "this.#from + at + 1, parts",
        put: "this.#from + at, parts",
      },
    ],
    witness: { file: "test/adapters/intent/reading.test.ts", claim: "S2.67" },
    second: { file: "test/adapters/intent/places.test.ts", claim: "S2.67" },
  },
  {
    name: "two ends at one moment are one event",
    harm: "Of calls that end together all but one are lost.",
    edits: [
      {
        file: "adapters/claude-code/otlp.ts",
        find: ', data["event.sequence"] ?? "", data["tool_use_id"] ?? ""]',
        put: ', data["event.sequence"] ?? ""]',
      },
    ],
    witness: { file: "test/adapters/claude-code/telemetry.test.ts", claim: "OTLP-2" },
    second: { file: "test/adapters/http/logs.test.ts", claim: "OTLP-2" },
  },
  {
    name: "an event happened at its microsecond",
    harm: "Its time is none, and it is taken for one that has no time.",
    edits: [
      {
        file: "adapters/claude-code/otlp.ts",
        find: "BigInt(text) / 1_000_000n)",
        put: "BigInt(text) / 1_000n)",
      },
    ],
    witness: { file: "test/adapters/claude-code/telemetry.test.ts", claim: "OTLP-2" },
    second: { file: "test/adapters/http/logs.test.ts", claim: "OTLP-2" },
  },
  {
    name: "telemetry's end of a call is a whole result",
    harm: "The result that the hook tells afterwards is lost.",
    edits: [
      {
        file: "adapters/claude-code/telemetry.ts",
        find: 'type: "tool.finished", call, durationMs, bare: true',
        put: 'type: "tool.finished", call, durationMs',
      },
    ],
    witness: { file: "test/adapters/claude-code/telemetry.test.ts", claim: "TELEMETRY-3" },
    second: { file: "test/adapters/http/logs.test.ts", claim: "TELEMETRY-3" },
  },
];
