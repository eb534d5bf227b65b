// All
// Faults with real agents, behind the proxy and by their hooks: `npm run test:agents -- [--agent NAME] [--fault TEXT]`.
//
//   Owns:          running each file that stands first among the arguments, the exit code.
//   Does not own:  the faults, which files (package.json).

import { spawnSync } from "node:child_process";

const given = process.argv.slice(2);
const files = given.filter((each) => each.endsWith(".ts"));
const options = given.slice(files.length);
const codes = files.map(
  (file) =>
    spawnSync(process.execPath, ["--import", "tsx", file, ...options], { stdio: "inherit" }).status ?? 1,
);
process.exit(Math.max(...codes));
