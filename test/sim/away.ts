// Away
// A year of deaths, repairs and new versions: how long a part has no owner.
//
//   Owns:          the life of the nodes of a part; what each loss costs.
//   Does not own:  the minute of calls (load), the figures.
//
// While a node of a part is up, the part has an owner again after a take-over; otherwise after the first repair.

import { Chance } from "../chaos/chance.ts";
import { chooses, takeOver, waits } from "./chances.ts";
import type { Given } from "./figures.ts";

export const YEAR_MS = 365 * 86_400_000;

/** @returns for each part, how long in a year it has no owner, ms. */
export function awayOf(parts: number, spares: number, given: Given, seed: number): readonly number[] {
  const chance = new Chance(seed);
  return Array.from(
    { length: parts },
    () => nodesAway(chance, spares, given) + serversAway(chance, given) + upgradesAway(spares, given),
  );
}

function nodesAway(chance: Chance, spares: number, given: Given): number {
  const life = (): number => waits(chance, YEAR_MS / given.deaths);
  /** When each node dies next, or is back if it is down. */
  const nodes = Array.from({ length: 1 + spares }, () => ({ isUp: true, until: life() }));
  let [owner] = nodes;
  let away = 0;
  for (;;) {
    const node = nodes.reduce((one, other) => (one.until <= other.until ? one : other));
    const at = node.until;
    if (at >= YEAR_MS) return away;
    node.isUp = !node.isUp;
    node.until = at + (node.isUp ? life() : given.repair);
    if (node !== owner) continue;
    if (node.isUp) {
      away += given.bothKilled;
      continue;
    }
    const next = nodes.find(({ isUp }) => isUp);
    const back = Math.min(...nodes.map(({ until }) => until));
    away += next ? takeOver(chance, given) : Math.min(back, YEAR_MS) - at;
    owner = next ?? nodes.find(({ until }) => until === back);
  }
}

/** Of three servers, one leads the part's journal. */
function serversAway(chance: Chance, given: Given): number {
  const next = (): number => waits(chance, YEAR_MS / given.serverDeaths);
  let away = 0;
  for (let at = next(); at < YEAR_MS; at += next()) away += chooses(chance, given);
  return away;
}

const upgradesAway = (spares: number, { upgrades, upgrade, bothKilled }: Given): number =>
  upgrades * (spares > 0 ? upgrade : bothKilled);
