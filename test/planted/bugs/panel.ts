// Panel
// Bugs in which approval a key of the panel answers.

import type { Bug, Witness } from "../bug.ts";

const CHOSEN = "adapters/panel/page/inbox/bulk/chosen.ts";
const chosen = (claim: string): Witness => ({ file: "test/adapters/panel/page/chosen.test.ts", claim });
const seen = (claim: string): Witness => ({ file: "test/adapters/panel/page/seen.test.ts", claim });
const meant = (claim: string): Witness => ({ file: "test/adapters/panel/inbox/meant.test.ts", claim });

export const PANEL: readonly Bug[] = [
  {
    name: "a dead link chooses the first that waits",
    harm: "A key that is meant for the approval of a link answers another one.",
    edits: [
      {
        file: CHOSEN,
        find: "  if (!row) return now;\n",
        put: '  if (!row) return rows[0]?.is === "open" ? byHand(rows[0]) : now;\n',
      },
    ],
    witness: chosen("CHOSEN-1"),
    second: meant("ELSEWHERE-1"),
  },
  {
    name: "an answer from elsewhere passes the choice on",
    harm: "A key that is meant for the approval just answered elsewhere answers another one.",
    edits: [
      {
        file: CHOSEN,
        find: "keyOf(at) === written ? now : { told: at, from: at };",
        put: "keyOf(at) === written ? now : answered(now, rows, [at]);",
      },
    ],
    witness: chosen("CHOSEN-1"),
    second: meant("ELSEWHERE-1"),
  },
  {
    name: "a reload is a link to what was chosen",
    harm: "The first key after a reload answers an approval that nobody chose on this page.",
    edits: [
      {
        file: CHOSEN,
        find: "({ told: name, from: name });",
        put: "({ told: name, isSought: true, from: name });",
      },
    ],
    witness: chosen("CHOSEN-2"),
    second: { file: "test/adapters/panel/inbox/moving.test.ts", claim: "CHOSEN-2" },
  },
  {
    name: "what has just been drawn counts as seen",
    harm: "A key meant for the approval before answers the one that took its place.",
    edits: [
      {
        file: "adapters/panel/page/inbox/seen/seen.ts",
        find: "since !== undefined && at - since >= SEEING_MS",
        put: "since !== undefined && at >= since",
      },
    ],
    witness: seen("SEEN-2"),
    second: meant("SEEN-2"),
  },
  {
    name: "a held answer goes out for whatever input there is by then",
    harm: "Another input than the one that was seen is approved.",
    edits: [
      {
        file: "adapters/panel/page/inbox/seen/seen.ts",
        find: "now.hash === seen.hash && (decision",
        put: "now.workspace === seen.workspace && (decision",
      },
    ],
    witness: seen("SEEN-1"),
    second: meant("HELD-3"),
  },
  {
    name: "what is typed on without its field is keys",
    harm: "The words of a denial choose an approval and answer it.",
    edits: [
      {
        file: "adapters/panel/page/parts/typing.ts",
        find: "before !== undefined && at - before < PAUSE_MS",
        put: "before !== undefined && at < before",
      },
    ],
    witness: { file: "test/adapters/panel/page/typing.test.ts", claim: "TYPING-1" },
    second: meant("TYPING-1"),
  },
];
