// cluster status
// Prints for each partition which node owns it and whether its spares stand by. Waits until all partitions are whole.
//
//   Owns:          the output of `cluster status`, waiting until all partitions are whole.
//   Does not own:  finding out whether a partition is whole (cluster/standings).
//
// CLUSTER-WHOLE-1. The exit code of `cluster status` is 0 only if every partition is whole.

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../command.ts";
import { clusterFolder } from "./folder.ts";
import { type Layout, nodesOf } from "./layout.ts";
import { placed } from "./placement.ts";
import { heardOf, type Row, rowOf } from "./standings.ts";
import { columnsOf } from "../output/terminal.ts";
import { table } from "../output/table.ts";

const LOOK_MS = 500;

export interface WholeOptions {
  /** How long to wait at most, s. */
  readonly wait: number;
  /** The partitions to wait for; all if absent. */
  readonly awaited?: readonly number[];
  readonly json?: boolean;
}

export async function tellWhole(
  dir: string,
  { wait, awaited, json = false }: WholeOptions,
  { terminal, wiring, exitWith }: Context,
): Promise<void> {
  const { layout } = await clusterFolder(dir, wiring);
  const until = performance.now() + wait * 1_000;
  const isDone = ({ partition, whole }: Row): boolean => whole || awaited?.includes(partition) === false;
  let rows = await rowsOf(layout);
  while (!rows.every(isDone) && performance.now() < until) {
    await sleep(LOOK_MS);
    rows = await rowsOf(layout);
  }
  if (json) for (const row of rows) terminal.json(row);
  else
    terminal.out(
      table(["PARTITION", "OWNER", "SPARES", "LAG", "REMARKS"], rows.map(cells), columnsOf(terminal)),
    );
  if (!rows.every(({ whole }) => whole)) exitWith(1);
}

export const rowsOf = (layout: Layout): Promise<readonly Row[]> =>
  Promise.all(
    placed(nodesOf(layout), layout.partitions, layout.spares).map(async (nodes, partition) =>
      rowOf(layout, partition, await Promise.all(nodes.map((node) => heardOf(layout, partition, node)))),
    ),
  );

const cells = ({ partition, owner, preferred, spares, troubles }: Row): readonly string[] => [
  `p${partition}`,
  owner ?? "none",
  spares.map(({ node }) => node).join(", ") || "none",
  spares.map(({ lag }) => lag).join(", "),
  [...(owner === undefined || owner === preferred ? [] : [`goes back to ${preferred}`]), ...troubles].join(
    "; ",
  ),
];
