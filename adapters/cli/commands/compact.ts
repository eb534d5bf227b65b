// compact
// Gives the disk back the space that removals have freed in a store. The store's engine must be stopped.
//
//   Owns:          the messages of `compact`.
//   Does not own:  compacting the store (wiring).

import type { Command } from "commander";
import { type Context, type OfFolder, folderCommand } from "../command.ts";

export function compact({ terminal, wiring }: Context): Command {
  return folderCommand(
    "compact",
    "give free room in the store back to the disk; stop the engine first",
    "compact",
  ).action(async ({ data, json = false }: OfFolder) => {
    if (!json) terminal.err("Copying the store …");
    const { dir, bytesBefore, bytesAfter } = await wiring.compact(data);
    if (json) return terminal.json({ dir, bytesBefore, bytesAfter });
    terminal.out(
      `The store in ${dir} took ${megabytes(bytesBefore)}; the store takes ${megabytes(bytesAfter)} now.`,
    );
  });
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
