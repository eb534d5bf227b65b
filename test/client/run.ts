// Run
// The tests with the real client: `npm run test:client -- [--client VERSION] [what Vitest takes]`.
//
//   Owns:          which version they are run with, which files an older one has no part in.
//   Does not own:  fetching it (support/client/package.ts), what each version holds (the tests).

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { isSince } from "../../runtime/install-form.ts";
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

/** These ask about calls of a headless client by a gate for what it asks about. */
const HEADLESS_ASKS = "2.1.268";
const ASKED_HEADLESS = [
  "doors",
  "ends",
  "environment",
  "gate-batch",
  "gate-faults",
  "gate-forks",
  "gate-rules",
  "gate",
  "how-soon",
].map((name) => `test/client/${name}.test.ts`);

const client = values.client === undefined ? undefined : numbered(values.client);
const env = { ...process.env, ...(client !== undefined && { CLAUDE_CODE_VERSION: client }) };
const title = values["test-name"] === undefined ? [] : ["-t", values["test-name"]];
const isOlder = client !== undefined && !isSince(client, HEADLESS_ASKS);
const excluded = isOlder && positionals.length === 0 ? ASKED_HEADLESS : [];
if (excluded.length > 0)
  console.log(
    `Claude Code ${client ?? ""} calls no hook when it runs headless, as it does since ${HEADLESS_ASKS}. So these are left out:\n${excluded.join("\n")}\nWhat holds with it is tested in versions.test.ts and gate-sessions.test.ts, by a gate for every call.`,
  );
const without = excluded.flatMap((path) => ["--exclude", path]);
const { status } = spawnSync("vitest", ["run", "--project", "client", ...title, ...without, ...positionals], {
  env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
