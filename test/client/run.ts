// Run
// The tests with the real client: `npm run test:client -- [--client VERSION] [what Vitest takes]`.
//
//   Owns:          which version they are run with.
//   Does not own:  fetching it (support/client/package.ts), what each version holds (the tests).

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { numbered } from "../support/client/numbered.ts";

const { values, positionals } = parseArgs({
  options: {
    client: { type: "string" },
    help: { type: "boolean" },
    "test-name": { type: "string", short: "t" },
  },
  allowPositionals: true,
});

if (values.help === true) {
  console.log(`npm run test:client -- [--client VERSION] [-t TITLE] [FILE ...]

  --client VERSION   of Claude Code, or "latest"; default: the one the tests were written against
  -t TITLE           only tests whose titles match

Example: npm run test:client -- --client 2.1.200 test/client/gate.test.ts`);
  process.exit();
}

const env = {
  ...process.env,
  ...(values.client !== undefined && { CLAUDE_CODE_VERSION: numbered(values.client) }),
};
const title = values["test-name"] === undefined ? [] : ["-t", values["test-name"]];
const { status } = spawnSync("vitest", ["run", "--project", "client", ...title, ...positionals], {
  env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
