// Placement
// Decides which nodes of a cluster run the engines of each partition, and which of these nodes owns the partition.
//
//   Owns:          the order of a partition's nodes: first the node of the owner, then the nodes of the spares.
//   Does not own:  the list of nodes (layout), handing partitions over (balance), running the engines (commands/cluster).
//   Decided in:    docs/decisions/0104-a-cluster-is-a-folder.md.
//
// CLI-CLUSTER-PLACEMENT-1. The engines of one partition are all on different nodes.
// CLI-CLUSTER-PLACEMENT-2. The numbers of engines on any two nodes differ by at most one, and so do the numbers of partitions
//     that they own.
// CLI-CLUSTER-PLACEMENT-3. If a node is added or removed, only about as many engines move as that node has. A hash of the
//     partition and the node ranks the nodes for each partition (rendezvous hashing); an engine is placed at a node of lower
//     rank only to even out how many engines the nodes have.

import { hash } from "node:crypto";

const FRACTION_DIGITS = 8;

const rank = (node: string, partition: number): number =>
  parseInt(hash("sha256", `${node} ${partition}`, "hex").slice(0, FRACTION_DIGITS), 16) /
  16 ** FRACTION_DIGITS;

/**
 * @param given the nodes' names, more than `spares`. @param spares the number of spares of each partition.
 * @returns for each partition its nodes: first the node that should own the partition, then the nodes of its spares.
 */
export function placed(
  given: readonly string[],
  partitions: number,
  spares: number,
): readonly (readonly string[])[] {
  const nodes = given.toSorted();
  const all = Array.from({ length: partitions }, (_, n) => byRank(nodes, n).slice(0, spares + 1));
  while (evenOut(all, nodes));
  const owners = all.map(([first = ""]) => first);
  while (evenOwners(owners, all, nodes));
  return all.map((each, n) => [owners[n] ?? "", ...byRank(each, n).filter((node) => node !== owners[n])]);
}

const byRank = (nodes: readonly string[], partition: number): string[] =>
  [...nodes].sort((one, other) => rank(other, partition) - rank(one, partition));

function countsOf(used: readonly string[], nodes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(nodes.map((node) => [node, 0]));
  for (const node of used) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts;
}

/**
 * Moves one engine from a node with the most engines to a node with the fewest.
 * @returns false if the engines are spread evenly: these two nodes differ by less than two engines.
 */
function evenOut(all: string[][], nodes: readonly string[]): boolean {
  const counts = countsOf(all.flat(), nodes);
  const [most, least] = [Math.max(...counts.values()), Math.min(...counts.values())];
  if (most - least < 2) return false;
  const having = (count: number): readonly string[] => nodes.filter((node) => counts.get(node) === count);
  const moves = having(most).flatMap((from) =>
    having(least).flatMap((to) =>
      all.flatMap((each, n) =>
        each.includes(from) && !each.includes(to) ? [{ from, to, n, gain: rank(to, n) - rank(from, n) }] : [],
      ),
    ),
  );
  const best = moves.reduce((one, other) => (other.gain > one.gain ? other : one));
  all[best.n] = (all[best.n] ?? []).map((node) => (node === best.from ? best.to : node));
  return true;
}

/**
 * Takes one partition from a node that owns the most, and gives it to a node that owns at least two fewer. If no such node can
 * own it, other nodes pass partitions on in a chain.
 * @returns false if the partitions that the nodes own cannot be spread more evenly.
 */
function evenOwners(
  owners: string[],
  all: readonly (readonly string[])[],
  nodes: readonly string[],
): boolean {
  const counts = countsOf(owners, nodes);
  const most = Math.max(...counts.values());
  const ways = nodes
    .filter((node) => counts.get(node) === most)
    .map((node) => ({ node, passed: [] as { readonly n: number; readonly to: string }[] }));
  const seen = new Set(ways.map(({ node }) => node));
  for (const way of ways) {
    if ((counts.get(way.node) ?? 0) <= most - 2) {
      for (const { n, to } of way.passed) owners[n] = to;
      return true;
    }
    for (const [n, each] of all.entries())
      for (const to of owners[n] === way.node ? each : [])
        if (!seen.has(to)) {
          seen.add(to);
          ways.push({ node: to, passed: [...way.passed, { n, to }] });
        }
  }
  return false;
}
