// Faults
// What can happen to a machine of the cluster, and to the links between machines.
//
//   Owns:          the list, striking one.
//   Does not own:  making it whole again (machines), when it happens (round).

import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../chance.ts";
import { tell } from "../world.ts";
import type { Cut, Link } from "./link.ts";
import type { EngineName, Machines } from "./machines.ts";
import type { Member } from "./members.ts";

export const FAULTS = [
  "owner killed",
  "owner's machine killed",
  "owner ended in order",
  "owner stopped",
  "owner's links broken",
  "owner's links stalled",
  "owner's links deaf",
  "spare killed",
  "spare stopped",
  "spare's links stalled",
  "owner's disk full",
  "spare's disk full",
  "owner's disk slow",
  "spare's disk slow",
  "owner's clock stepped",
  "spare's clock stepped",
  "both engines killed",
  "leader killed",
  "leader stopped",
  "leader steps down",
  "leader's routes stalled",
  "leader's routes deaf",
  "leader and owner killed",
  "leader and owner stopped",
  "server killed",
  "server's routes broken",
  "server wiped",
] as const;
export type Fault = (typeof FAULTS)[number];

/** These need more than one server: one alone has no routes, and all that it loses is lost. */
const OF_SEVERAL: ReadonlySet<Fault> = new Set([
  "leader steps down",
  "leader's routes stalled",
  "leader's routes deaf",
  "server's routes broken",
  "server wiped",
]);

/** @param only a part of their names. @returns what can happen to these machines. */
export function faultsOf({ members, of }: Pick<Machines, "members" | "of">, only: string) {
  const { canFill, canSlow, canStep } = of("a");
  const can = (fault: Fault): boolean =>
    fault.includes(only) &&
    (members.length > 1 || !OF_SEVERAL.has(fault)) &&
    (canFill || !fault.endsWith("disk full")) &&
    (canSlow || !fault.endsWith("disk slow")) &&
    (canStep || !fault.endsWith("clock stepped"));
  return FAULTS.filter(can);
}

/** A step forth or back, in seconds. */
const STEPS = [-3_600, -30, 30, 3_600] as const;

/** Longer than a spare waits for its owner in some, shorter in others. */
const FOR_MS = [100, 6_000] as const;

/** Strikes for a while. What it leaves behind is mended by whoever called it. */
export async function strike(machines: Machines, fault: Fault, chance: Chance): Promise<void> {
  const forMs = chance.between(...FOR_MS);
  const { owner, spare, members } = machines;
  const server = chance.pick(members);
  switch (fault) {
    case "owner killed":
      killEngine(machines, owner);
      return;
    case "spare killed":
      killEngine(machines, spare);
      return;
    case "both engines killed":
      await Promise.all([killMachine(machines, owner), killMachine(machines, spare)]);
      return;
    case "owner's machine killed":
      return killMachine(machines, owner);
    case "owner ended in order":
      tell(machines.processes(owner).supervisor, "SIGTERM");
      return machines.gone(owner);
    case "owner stopped":
      return stopEngine(machines, owner, forMs);
    case "spare stopped":
      return stopEngine(machines, spare, forMs);
    case "owner's disk full":
      return fillDisk(machines, owner, forMs);
    case "spare's disk full":
      return fillDisk(machines, spare, forMs);
    case "owner's disk slow":
      return slowDisk(machines, owner, forMs);
    case "spare's disk slow":
      return slowDisk(machines, spare, forMs);
    case "owner's clock stepped":
      return stepClock(machines, owner, chance.pick(STEPS), forMs);
    case "spare's clock stepped":
      return stepClock(machines, spare, chance.pick(STEPS), forMs);
    case "owner's links broken":
      return cutLinks(machines.links[owner], "broken", forMs);
    case "owner's links stalled":
      return cutLinks(machines.links[owner], "stalled", forMs);
    case "owner's links deaf":
      return cutLinks(machines.links[owner], "deaf", forMs);
    case "spare's links stalled":
      return cutLinks(machines.links[spare], "stalled", forMs);
    case "leader killed":
      return killServer(await machines.operator.leader(), forMs);
    case "leader and owner killed":
      await Promise.all([killServer(await machines.operator.leader(), forMs), killMachine(machines, owner)]);
      return;
    case "leader and owner stopped":
      await Promise.all([
        stopServer(await machines.operator.leader(), forMs),
        stopEngine(machines, owner, forMs),
      ]);
      return;
    case "leader stopped":
      return stopServer(await machines.operator.leader(), forMs);
    case "leader steps down":
      return machines.operator.stepDown();
    case "leader's routes stalled":
      return cutLinks(machines.routesOf(await machines.operator.leader()), "stalled", forMs);
    case "leader's routes deaf":
      return cutLinks(machines.routesOf(await machines.operator.leader()), "deaf", forMs);
    case "server killed":
      return killServer(server, forMs);
    case "server's routes broken":
      return cutLinks(machines.routesOf(server), "broken", forMs);
    case "server wiped":
      return wipeServer(machines, server, forMs);
  }
}

/** Its supervisor starts it again. */
function killEngine(machines: Machines, name: EngineName): void {
  for (const pid of machines.processes(name).engines) tell(pid, "SIGKILL");
}

async function killMachine(machines: Machines, name: EngineName): Promise<void> {
  const { supervisor, engines } = machines.processes(name);
  for (const pid of [supervisor, ...engines]) tell(pid, "SIGKILL");
  await machines.gone(name);
}

async function stopEngine(machines: Machines, name: EngineName, forMs: number): Promise<void> {
  const stopped = machines.processes(name).engines.filter((pid) => tell(pid, "SIGSTOP"));
  await sleep(forMs);
  for (const pid of stopped) tell(pid, "SIGCONT");
}

async function fillDisk(machines: Machines, name: EngineName, forMs: number): Promise<void> {
  machines.of(name).fill();
  await sleep(forMs);
  machines.of(name).free();
}

async function slowDisk(machines: Machines, name: EngineName, forMs: number): Promise<void> {
  const fast = machines.of(name).slow(machines.processes(name).engines);
  await sleep(forMs);
  await fast();
}

async function stepClock(
  machines: Machines,
  name: EngineName,
  seconds: number,
  forMs: number,
): Promise<void> {
  machines.of(name).step(seconds);
  await sleep(forMs);
  machines.of(name).step(0);
}

async function cutLinks(links: readonly Link[], how: Cut, forMs: number): Promise<void> {
  for (const each of links) each.cut(how);
  await sleep(forMs);
  for (const each of links) each.mend();
}

async function killServer({ server }: Member, forMs: number): Promise<void> {
  await server.kill();
  await sleep(forMs);
  await server.start();
}

/** It comes back as an operator brings it back (docs/how-to/scale.md): under its old name, the cluster could lose streams. */
async function wipeServer(machines: Machines, member: Member, forMs: number): Promise<void> {
  const { server, name } = member;
  await server.kill();
  rmSync(server.storeDir, { recursive: true, force: true });
  await sleep(forMs);
  member.rename();
  await server.start();
  await machines.operator.expel(name);
}

async function stopServer({ server }: Member, forMs: number): Promise<void> {
  await server.stop();
  await sleep(forMs);
  server.resume();
}
