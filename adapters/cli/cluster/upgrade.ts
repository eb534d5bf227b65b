// cluster upgrade
// Lets the owner of each partition end its term, so that all engines of the partition change to the version installed now.
//
//   Owns:          asking the owners.
//   Does not own:  what ending a term is (runtime/cluster/seam), waiting until all is whole (whole).
//   Decided in:    docs/decisions/0105-a-build-changes-between-two-terms.md.
//
// CLI-CLUSTER-UPGRADE-1. Nothing is ended unless each partition has an owner that answers.

import { setTimeout as sleep } from "node:timers/promises";
import { Client, succeeded } from "../client.ts";
import type { Context } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { clusterFolder, secretIn } from "./folder.ts";
import { addressOf } from "./layout.ts";
import type { Row } from "./standings.ts";
import { rowsOf, tellWhole } from "./whole.ts";

const OWNERS_MS = 10_000;
const LOOK_MS = 500;

export interface UpgradeOptions {
  /** How long engines of the old version leave the journals to the new one, s. */
  readonly leave: number;
  /** How long the command waits until all is whole again, s. */
  readonly wait: number;
  readonly json?: boolean;
}

export async function upgradeCluster(dir: string, options: UpgradeOptions, context: Context): Promise<void> {
  const { wiring, terminal } = context;
  const { layout, token: file } = await clusterFolder(dir, wiring);
  const token = await secretIn(file, wiring);
  const rows = await withOwners(() => rowsOf(layout));
  const lacking = rows.filter(({ owner }) => owner === undefined);
  if (lacking.length > 0)
    throw new Failure(
      `No owner answers for ${lacking.map(({ partition }) => `p${partition}`).join(", ")}. Nothing was changed.`,
      "Run `npx signalbox cluster status` and start what is missing.",
    );
  await Promise.all(
    rows.map(async ({ partition, owner = "" }) => {
      const url = owner.includes("://") ? owner : addressOf(layout, owner, partition);
      const client = new Client(wiring.withToken(url, token), url, file);
      succeeded(await client.send("POST", "/v1/handover", { query: { upgrade: options.leave }, body: {} }));
    }),
  );
  terminal.err("All engines stop, and start again with the version that is installed now.");
  await sleep(LOOK_MS);
  await tellWhole(dir, options, context);
}

/** Waits a while until each partition has an owner: a partition may just be passing to another node. */
async function withOwners(look: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const until = performance.now() + OWNERS_MS;
  for (;;) {
    const rows = await look();
    if (rows.every(({ owner }) => owner !== undefined) || performance.now() > until) return rows;
    await sleep(LOOK_MS);
  }
}
