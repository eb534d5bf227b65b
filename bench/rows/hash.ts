// Hash row
// The canonical text and hash of an input of 1 kB, which every call with an input costs once at the door.
//
//   Baseline: JSON.stringify and the same SHA-256, without sorting keys.

import { hash } from "node:crypto";
import { toolInput } from "../../runtime/canonical.ts";
import { cpuUs, inTurns } from "../measure.ts";
import type { Row } from "../report.ts";

const TIMES = 20_000;

const input = {
  file_path: "/home/someone/app/packages/lib/src/registry.ts",
  old_string:
    "export function lookUp(name: string): Entry | undefined {\n  return entries.get(name);\n}\n".repeat(5),
  new_string:
    "export function find(name: string): Entry | undefined {\n  return entries.get(name);\n}\n".repeat(5),
  replace_all: false,
};

const times = async (work: () => unknown): Promise<number> =>
  (await cpuUs(() => {
    for (let n = 0; n < TIMES; n += 1) work();
  })) / TIMES;

export async function hashRows(): Promise<readonly Row[]> {
  const { ours, bare } = await inTurns(7, {
    ours: () => times(() => toolInput(input)),
    bare: () => times(() => hash("sha256", JSON.stringify(input), "hex")),
  });
  return [
    {
      what: "hash of a 1 kB input",
      unit: "µs",
      figure: ours,
      baseline: { name: "JSON.stringify + SHA-256", figure: bare },
    },
  ];
}
