// Struck
// Two engines on one journal, as a cluster that is struck.
//
//   Owns:          which engine tells what at the end.
//   Does not own:  the processes (machines), the faults (faults), when they happen (round).

import { now } from "../book.ts";
import { exportedIn } from "../shown.ts";
import { faultsOf, strike } from "./faults.ts";
import { differing, wrongIn } from "./log.ts";
import { Machines } from "./machines.ts";
import type { Struck } from "./round.ts";

/** @param servers 3, or 1 for a nats-server that is too old for copies. */
export async function struckMachines(servers: number): Promise<Struck> {
  const machines = await Machines.make(servers);
  return {
    faults: (only, chance) =>
      faultsOf(machines, only).map((fault) => [fault, () => strike(machines, fault, chance)]),
    mend: () => machines.mend(),
    look: () => machines.look(),
    worldOf: () => machines,
    shown: () => shownBy(machines),
    end: () => machines.end(),
  };
}

async function shownBy(machines: Machines): ReturnType<Struck["shown"]> {
  await machines.agreed();
  const exported = async (name: typeof machines.owner): Promise<string> => {
    const { code, out, err } = await machines.run(["export", "--json"], name);
    if (code !== 0) throw new Error(`The export failed: ${err}`);
    return out;
  };
  const askedAt = now();
  const [owner, spare] = [await exported(machines.owner), await exported(machines.spare)];
  const differed = /HISTORY_DIFFERS|different results|another result/.test(machines.said);
  return {
    shown: exportedIn(owner, { askedAt, readAt: now() }),
    wrong: [
      ...wrongIn(await machines.operator.published()),
      ...differing(owner, spare),
      ...(differed ? ["a spare's history differed from its owner's"] : []),
    ],
  };
}
