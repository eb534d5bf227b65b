// cluster upgrade
// Has the owner of each partition end its term, so that the partition's engines start again with the newly installed version.
//
//   Owns:          asking the owners to end their terms, and finding out which of them did not.
//   Does not own:  what ending a term does (runtime/cluster/seam), waiting until all partitions are whole (whole).
//   Decided in:    docs/decisions/0105-a-build-changes-between-two-terms.md.
//
// CLI-CLUSTER-UPGRADE-1. If any partition has no owner that answers, `cluster upgrade` asks no owner to end its term.
// CLI-CLUSTER-UPGRADE-2. The cluster's token is sent only to addresses of the layout. An owner's address that an engine reports
//     is only shown: any program that has taken an engine's port could report any address.
// CLI-CLUSTER-UPGRADE-3. `cluster upgrade` waits for the partitions whose owners confirmed the end of their terms. If an owner
//     did not confirm, the command says which one and why, and fails.

import { setTimeout as sleep } from "node:timers/promises";
import { Client, succeeded } from "../client.ts";
import type { Context } from "../command.ts";
import { Failure, reasonOf } from "../failures/failure.ts";
import { clusterFolder, secretIn } from "./folder.ts";
import { addressOf, type Layout, nodesOf } from "./layout.ts";
import type { Row } from "./standings.ts";
import { rowsOf, tellWhole } from "./whole.ts";

const OWNERS_MS = 10_000;
const LOOK_MS = 500;
/** How long an owner may take to answer: it answers once the end of its term is durable. */
const ANSWER_MS = 30_000;

export interface UpgradeOptions {
  /** How long engines of the old version must not own a journal again, so that engines of the new version can own it, s. */
  readonly leave: number;
  /** How long to wait until every partition is whole again, s. */
  readonly wait: number;
  readonly json?: boolean;
}

export async function upgradeCluster(dir: string, options: UpgradeOptions, context: Context): Promise<void> {
  const { wiring, terminal } = context;
  const { layout, token: file } = await clusterFolder(dir, wiring);
  const token = await secretIn(file, wiring);
  const rows = await withOwners(() => rowsOf(layout));
  checkOwners(rows, layout);
  const answers = await Promise.all(
    rows.map(async ({ partition, owner = "" }) => {
      const url = addressOf(layout, owner, partition);
      const request = { query: { upgrade: options.leave }, body: {}, signal: AbortSignal.timeout(ANSWER_MS) };
      try {
        const client = new Client(wiring.withToken(url, token), url, file);
        succeeded(await client.send("POST", "/v1/handover", request));
        return { partition };
      } catch (error) {
        return { partition, why: Object.values(reasonOf(error)).filter(Boolean).join(" ") };
      }
    }),
  );
  const ending = answers.filter(({ why }) => why === undefined).map(({ partition }) => partition);
  const others = answers.filter(({ why }) => why !== undefined);
  const whys = others.map(
    ({ partition, why }) => `The owner of p${partition} did not confirm that it stops: ${why}`,
  );
  if (ending.length === 0)
    throw new Failure(["No engine confirmed that it stops.", ...whys].join("\n"), AGAIN);
  if (others.length === 0)
    terminal.err("All engines stop, and start again with the version that is installed now.");
  else
    terminal.err(
      `The engines of ${named(ending)} stop, and start again with the version that is installed now.`,
    );
  for (const why of whys) terminal.err(why);
  await sleep(LOOK_MS);
  await tellWhole(dir, { ...options, awaited: ending }, context);
  if (others.length > 0)
    throw new Failure(
      `The engines of ${named(others.map(({ partition }) => partition))} may not have stopped, and may still run the old version.`,
      AGAIN,
    );
}

const AGAIN =
  "Run `npx signalbox cluster status`. Once each partition has its owner, run `npx signalbox handover --upgrade` at the owner of each partition that is named above.";

const named = (partitions: readonly number[]): string => partitions.map((each) => `p${each}`).join(", ");

function checkOwners(rows: readonly Row[], layout: Layout): void {
  const lacking = rows.filter(({ owner }) => owner === undefined);
  if (lacking.length > 0)
    throw new Failure(
      `No owner answers for ${named(lacking.map(({ partition }) => partition))}. Nothing was changed.`,
      "Run `npx signalbox cluster status`, and start the engines that are missing.",
    );
  const foreign = rows.filter(({ owner = "" }) => !nodesOf(layout).includes(owner));
  if (foreign.length === 0) return;
  const places = foreign.map(({ partition, owner = "" }) => `p${partition} at ${owner}`).join(", ");
  throw new Failure(
    `The engines name owners at addresses that are not in the layout: ${places}. Nothing was changed.`,
    "If an engine of yours is at such an address, run `npx signalbox handover` on its machine, so that a node of the layout takes the partition over. Then try again. If not, find out which program has the port of your engine.",
  );
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
