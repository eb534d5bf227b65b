// Standings
// Asks the engines of each partition for their roles and troubles, and decides whether the partition is whole.
//
//   Owns:          asking an engine at its address; making one row for each partition from the answers of its engines.
//   Does not own:  what a role means (runtime/cluster), which nodes a partition has (placement), the output (commands/cluster).
//
// CLI-CLUSTER-STANDINGS-1. A partition is whole if it has an owner, and if the spares on all its other nodes are close behind
//     the owner.
// CLI-CLUSTER-STANDINGS-2. An answer far longer than 64 KiB is not read to its end, and counts as no answer.

import { z } from "zod";
import { defined } from "../../../machines/defined.ts";
import { readinessAt, type Standing, standingIn } from "../running.ts";
import { addressOf, type Layout, nodesOf } from "./layout.ts";

/** A spare that is at most this many entries behind takes over without a noticeable pause. */
const CLOSE_ENTRIES = 100;

const READINESS = z.object({
  ready: z.boolean(),
  reasons: z.array(z.object({ code: z.string() })).optional(),
  waitsFor: z.string().optional(),
});

export interface Heard extends Standing {
  readonly node: string;
  readonly ready: boolean;
  /** The codes of the troubles that the engines report; if no engine answered, a sentence that says so. */
  readonly troubles: readonly string[];
}

export interface Row {
  readonly partition: number;
  /** The owner's node. If none of the partition's nodes is the owner: what a spare names as the owner, which is not proven. */
  readonly owner?: string;
  readonly preferred: string;
  readonly spares: readonly { readonly node: string; readonly lag: number }[];
  readonly whole: boolean;
  readonly troubles: readonly string[];
}

/** Asks an engine for its role and its troubles. The engine tells both, without a token, to everybody who can reach it. */
export async function heardOf(layout: Layout, partition: number, node: string): Promise<Heard> {
  const url = addressOf(layout, node, partition);
  try {
    const body = await readinessAt(url);
    const { ready, reasons = [], waitsFor } = READINESS.parse(body);
    const codes = [...reasons.map(({ code }) => code), ...(waitsFor === undefined ? [] : [waitsFor])];
    return { node, ready, ...standingIn(body), troubles: codes.filter((code) => code !== "STANDING_BY") };
  } catch {
    return { node, ready: false, troubles: [`no engine answers at ${url}`] };
  }
}

export const isClose = ({ role, lag = 0 }: Standing): boolean => role === "standby" && lag <= CLOSE_ENTRIES;

/** @param heard the answers from the partition's nodes, the node that should own the partition first. */
export function rowOf(layout: Layout, partition: number, heard: readonly Heard[]): Row {
  const owner = heard.find(isOwner)?.node ?? elsewhere(layout, partition, heard);
  const others = heard.filter(({ node }) => node !== owner);
  return {
    partition,
    ...defined({ owner }),
    preferred: heard[0]?.node ?? "",
    spares: others.filter(({ role }) => role === "standby").map(({ node, lag = 0 }) => ({ node, lag })),
    whole: owner !== undefined && others.every(isClose),
    troubles: heard.flatMap(({ node, troubles }) => troubles.map((each) => `${node}: ${each}`)),
  };
}

/** True for a ready owner, and for a ready engine without a role, which shares its journal with nobody. */
const isOwner = ({ ready, role }: Heard): boolean => ready && (role === "owner" || role === undefined);

/**
 * The owner that a spare names. If that owner runs on one of the partition's nodes, the result is undefined, because the
 * answer of that node itself counts.
 */
function elsewhere(layout: Layout, partition: number, heard: readonly Heard[]): string | undefined {
  const address = heard.find(({ owner }) => owner !== undefined)?.owner;
  const node = nodesOf(layout).find((each) => addressOf(layout, each, partition) === address);
  if (heard.some((each) => each.node === node)) return undefined;
  // Only an address with `://` is shown, because any other text could look like the name of a node.
  return node ?? (address?.includes("://") === true ? address : undefined);
}
