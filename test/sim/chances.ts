// Chances
// How long things take that do not take equally long each time.
//
//   Owns:          the distributions.
//   Does not own:  the generator (chaos/chance), the figures.

import type { Chance } from "../chaos/chance.ts";
import type { Given } from "./figures.ts";

/** Until something that comes at random, ms. */
export const waits = (chance: Chance, mean: number): number => -mean * Math.log(1 - chance.next());

/** Until a spare owns the journal, ms: the silence begins somewhere between two of its requests. */
export const takeOver = (chance: Chance, { silence, ask }: Given): number => silence + ask * chance.next();

/** Until NATS servers have chosen another leader, ms: 4 to 8 s. */
export const chooses = (chance: Chance, { election }: Given): number => (election / 2) * (1 + chance.next());
