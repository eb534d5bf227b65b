// Environment
// Bugs in what a repository's settings can change: the variables of what a client starts.

import type { Bug } from "../bug.ts";

const TRIED = "test/adapters/gate/environment.test.ts";
const LISTED = "test/project/environment.test.ts";

export const ENVIRONMENT: readonly Bug[] = [
  {
    name: "a gate asks under the workspace that a variable names",
    harm: "A repository chooses whose rules answer.",
    edits: [
      {
        file: "adapters/gate-main.ts",
        find: '[given("workspace"), given("client")]',
        put: '[given("workspace") ?? process.env["SIGNALBOX_WORKSPACE"], given("client")]',
      },
      {
        file: "adapters/install/programs.ts",
        find: "/usr/bin/env -i ${quoted(node)}",
        put: "/usr/bin/env ${quoted(node)}",
      },
    ],
    witness: { file: LISTED, claim: "GATE-MAIN-5" },
    second: { file: TRIED, claim: "GATE-MAIN-5" },
  },
  {
    name: "an observing hook takes the workspace of a variable",
    harm: "What a repository's session does is recorded under another workspace, whose rules answer from then on.",
    edits: [
      {
        file: "adapters/install/programs.ts",
        find: '"\\${1:-none}" "\\${2:--}"',
        put: '"\\${1:-none}" "\\${SIGNALBOX_WORKSPACE:-\\${2:--}}"',
      },
    ],
    witness: { file: LISTED, claim: "PROGRAMS-3" },
    second: { file: TRIED, claim: "PROGRAMS-3" },
  },
  {
    name: "a program that a client starts takes its data folder from a variable",
    harm: "A repository's own engine answers for the permission tool and the status line.",
    edits: [
      {
        file: "adapters/data-folder/place.ts",
        find: "  if (named.dir !== own.dir) throw byVariable(named.dir);\n  return own;",
        put: "  return own.dir === named.dir ? own : named;",
      },
    ],
    witness: { file: "test/adapters/cli/client/mcp.test.ts", claim: "PLACE-1" },
    second: { file: "test/adapters/cli/client/statusline.test.ts", claim: "PLACE-1" },
  },
];
