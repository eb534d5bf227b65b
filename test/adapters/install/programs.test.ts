// Programs
// The hooks' programs in the data folder, put in place of an earlier version's.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepPrograms, programFaults } from "../../../adapters/install/programs.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const scratch = scratchEach();

it("PROGRAMS-4: an earlier version's program goes once the gate names the new one; what is not ours stays", async () => {
  const dir = scratch();
  const kept = { data: dir, hooks: join(dir, "hooks"), spool: join(dir, "spool"), pids: ["CLAUDE_PID"] };
  const source = join(dir, "built.cjs");
  writeFileSync(source, "// the gate");
  await keepPrograms(kept, process.execPath, source);
  for (const name of ["gate.mjs", "of-somebody.mjs"]) writeFileSync(join(kept.hooks, name), "");
  await keepPrograms(kept, process.execPath, source);
  expect(readdirSync(kept.hooks).toSorted()).toEqual(["gate", "gate.cjs", "observe", "of-somebody.mjs"]);
  expect(readFileSync(join(kept.hooks, "gate"), "utf8")).toContain(join(kept.hooks, "gate.cjs"));
  expect(await programFaults(kept, process.execPath, source)).toEqual([]);
});
