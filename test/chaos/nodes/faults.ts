// Faults
// What can happen to a node of a cluster, to one of its engines, and to the NATS server.
//
//   Owns:          the list, striking one.
//   Does not own:  making it whole again (cluster), when it happens (round).

import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chance.ts";
import { tell } from "../world.ts";
import { type Cluster, type NodeName, NODES } from "./cluster.ts";

export const FAULTS = [
  "node killed",
  "node's supervisor killed",
  "node stopped",
  "node restarted",
  "both nodes restarted in turn",
  "cluster upgraded",
  "owner killed",
  "owner stopped",
  "spare killed",
  "spare stopped",
  "server killed",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Longer than a spare waits for its owner in some, shorter in others. */
const FOR_MS = [100, 6_000] as const;

/** Strikes for a while. What it leaves behind is mended by whoever called it. */
export async function strike(cluster: Cluster, fault: Fault, chance: Chance): Promise<void> {
  const forMs = chance.between(...FOR_MS);
  const node = chance.pick(NODES);
  const partition = chance.pick(cluster.partitions);
  const { supervisor, engines } = cluster.processes(node);
  const owner = (): readonly number[] => cluster.engineOf(cluster.ownerOf(partition), partition);
  const spare = (): readonly number[] => cluster.engineOf(cluster.spareOf(partition), partition);
  switch (fault) {
    case "node killed":
      kill([supervisor, ...engines]);
      await cluster.gone(node);
      await sleep(forMs);
      return;
    case "node's supervisor killed":
      kill([supervisor]);
      return cluster.gone(node);
    case "node stopped":
      return stop([supervisor, ...engines], forMs);
    case "node restarted":
      return restart(cluster, node);
    case "both nodes restarted in turn":
      for (const each of NODES) {
        await restart(cluster, each);
        await cluster.mend();
      }
      return;
    case "cluster upgraded":
      return cluster.upgrade();
    case "owner killed":
      kill(owner());
      return;
    case "owner stopped":
      return stop(owner(), forMs);
    case "spare killed":
      kill(spare());
      return;
    case "spare stopped":
      return stop(spare(), forMs);
    case "server killed":
      await cluster.server.kill();
      await sleep(forMs);
      return cluster.server.start();
  }
}

/** Its supervisor, or whoever mends it, starts it again. */
function kill(pids: readonly number[]): void {
  for (const pid of pids) tell(pid, "SIGKILL");
}

async function stop(pids: readonly number[], forMs: number): Promise<void> {
  const stopped = pids.filter((pid) => tell(pid, "SIGSTOP"));
  await sleep(forMs);
  for (const pid of stopped) tell(pid, "SIGCONT");
}

/** In order, as for a new version. */
async function restart(cluster: Cluster, node: NodeName): Promise<void> {
  tell(cluster.processes(node).supervisor, "SIGTERM");
  await cluster.gone(node);
}
