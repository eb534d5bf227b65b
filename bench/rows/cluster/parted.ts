// Parted
// The configuration of a NATS server that spreads workspaces over partitions.
//
//   Owns:          the file; each user's password is its name.
//   Does not own:  the accounts (adapters/cli/cluster).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accountsText } from "../../../adapters/cli/cluster/accounts.ts";
import { scratchFolder } from "../../scratch.ts";

/** @returns the path of the file. */
export function partedConfig(partitions: number): string {
  const accounts = accountsText(partitions);
  const filled = accounts.replace(/user: ([a-z0-9-]+), password: \$[A-Z0-9_]+/g, "user: $1, password: $1");
  const file = join(scratchFolder(), "nats.conf");
  writeFileSync(file, `max_payload: 8MB\n${filled}`);
  return file;
}
