// Struck
// Several partitions on two nodes, as a cluster that is struck.
//
//   Owns:          what is held against what at the end.
//   Does not own:  the processes (cluster), the faults (faults), when they happen (round).

import { type Call, now } from "../book.ts";
import { astray, differing, wrongIn } from "../cluster/log.ts";
import type { Struck } from "../cluster/round.ts";
import { exportedIn, type Shown } from "../shown.ts";
import { Cluster } from "./cluster.ts";
import { FAULTS, strike } from "./faults.ts";

export async function struckNodes(partitions: number): Promise<Struck> {
  const cluster = await Cluster.make(partitions);
  return {
    faults: (only, chance) =>
      FAULTS.filter((fault) => fault.includes(only)).map((fault) => [
        fault,
        () => strike(cluster, fault, chance),
      ]),
    mend: () => cluster.mend(),
    look: () => cluster.look(),
    worldOf: ({ session }) => cluster.worldOf(session),
    shown: (calls) => shownBy(cluster, calls),
    end: () => cluster.end(),
  };
}

async function shownBy(cluster: Cluster, calls: readonly Call[]): ReturnType<Struck["shown"]> {
  const acknowledged = new Map(await cluster.acknowledged());
  for (const { session } of calls) acknowledged.set(session, cluster.workspaceOf(session));
  await cluster.mend(true);
  const shown: Shown[] = [];
  const wrong: string[] = [];
  const owners: string[] = [];
  for (const n of cluster.partitions) {
    const askedAt = now();
    const owner = await cluster.exported(cluster.ownerOf(n), n);
    const spare = await cluster.exported(cluster.spareOf(n), n);
    shown.push(...exportedIn(owner, { askedAt, readAt: now() }));
    wrong.push(...wrongIn(await cluster.published(n)), ...differing(owner, spare));
    owners.push(owner);
  }
  wrong.push(...astray(owners, acknowledged, (workspace) => cluster.homeOf(workspace)));
  if (/HISTORY_DIFFERS|different results|another result/.test(cluster.said))
    wrong.push("a spare's history differed from its owner's");
  return { shown, wrong };
}
