// The environment
// docs/reference/configuration.md against the sources: every variable that is read stands there, and no other.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settingNames, variableOf } from "../../adapters/cli/settings/table.ts";
import { profiles } from "../../adapters/composition/profiles.ts";
import { keepPrograms } from "../../adapters/install/index.ts";
import { listedVariables, readsIn, scriptReads, variablesRead } from "../support/docs/variables.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SHIPPED = ["machines", "runtime", "adapters", "ops", "docs/examples"];
const names = (reads: readonly { readonly name: string | undefined }[]): readonly string[] => [
  ...new Set(reads.map(({ name }) => name ?? "computed")),
];

/** The hooks' programs as `install` writes them. */
async function hookReads(): Promise<ReturnType<typeof scriptReads>> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-programs-"));
  try {
    writeFileSync(join(dir, "built.cjs"), "");
    const kept = {
      data: dir,
      hooks: join(dir, "hooks"),
      spool: join(dir, "spool"),
      pids: profiles.flatMap(({ pidVariable }) => pidVariable ?? []),
    };
    await keepPrograms(kept, "/node", join(dir, "built.cjs"));
    return ["gate", "observe"].flatMap((name) =>
      scriptReads(name, readFileSync(join(dir, "hooks", name), "utf8")),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe("docs/reference/configuration.md", () => {
  test("Docs: every variable that a shipped program reads stands in the table, by its name; no row is stale", async () => {
    const settings = settingNames.map((name) => ({ name: variableOf(name) }));
    const reads = [...variablesRead(ROOT, SHIPPED), ...(await hookReads()), ...settings];
    expect(reads.filter(({ name }) => name === undefined)).toEqual([]);
    expect(names(reads).toSorted()).toEqual(listedVariables(ROOT).toSorted());
  });

  test("PROGRAMS-3, GATE-MAIN-5: of all of them the hooks read one", async () => {
    expect(names(await hookReads())).toEqual(["CLAUDE_PID"]);
    expect(names(variablesRead(ROOT, ["adapters/gate"]))).toEqual([]);
    const main = readFileSync(join(ROOT, "adapters", "gate-main.ts"), "utf8");
    expect(names(readsIn("gate-main.ts", main))).toEqual([]);
  });

  test("Docs: a variable is found however it is read", () => {
    const text = `
      const a = process.env["A_ONE"] ?? env.B_TWO;
      const { C_THREE: three, D_FOUR = "x", ...rest } = process.env;
      const of = ({ E_FIVE }: NodeJS.ProcessEnv) => E_FIVE;
      const home = homedir() + os.tmpdir();
      const any = context.env[name];
    `;
    expect(names(readsIn("a.ts", text)).toSorted()).toEqual(
      ["A_ONE", "B_TWO", "C_THREE", "D_FOUR", "E_FIVE", "HOME", "TMPDIR", "computed"].toSorted(),
    );
    const script = '# $NOT_THIS\nx="${F_SIX:-}" y=$G_SEVEN z=$small PATH=/bin';
    expect(names(scriptReads("a.sh", script))).toEqual(["F_SIX", "G_SEVEN"]);
  });
});
