// All
// Faults with real agents, behind the proxy and by their hooks: `npm run test:agents -- [--agent NAME] [--fault TEXT]`.
//
//   Owns:          running each in turn, the exit code.
//   Does not own:  the faults (run, hooks/run).

import { spawnSync } from "node:child_process";
import { join } from "node:path";

const codes = ["run.ts", join("hooks", "run.ts")].map((file) => {
  const program = join(import.meta.dirname, file);
  const args = ["--import", "tsx", program, ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
});
process.exit(Math.max(...codes));
