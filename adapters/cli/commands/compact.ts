// compact
// Returns the disk space that removals have freed in a store, while its engine is stopped.
//
//   Owns:          its messages.
//   Does not own:  compacting (wiring).

import type { Command } from "commander";
import { type Context, type OfFolder, plainCommand } from "../command.ts";

export function compact({ terminal, wiring }: Context): Command {
  return plainCommand(
    "compact",
    "give free room in the store back to the disk; stop the engine first",
    "compact",
  )
    .option("--data <dir>", "the engine's data folder")
    .option("--json", "print JSON")
    .action(async ({ data, json = false }: OfFolder) => {
      if (!json) terminal.err("Copying the store …");
      const { dir, bytesBefore, bytesAfter } = await wiring.compact(data);
      if (json) return terminal.json({ dir, bytesBefore, bytesAfter });
      terminal.out(
        `The store in ${dir} took ${megabytes(bytesBefore)}; it takes ${megabytes(bytesAfter)} now.`,
      );
    });
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
