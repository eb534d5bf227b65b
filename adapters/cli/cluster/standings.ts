// Standings
// What the engines of a partition say of themselves, and whether the partition is whole.
//
//   Owns:          asking an engine over its address; one row for each partition.
//   Does not own:  the roles (runtime/cluster), which nodes there are (placement), the output (commands/cluster).
//
// CLI-CLUSTER-STANDINGS-1. A partition is whole if it has an owner, and each of its other nodes has a spare close behind.

import { z } from "zod";
import { defined } from "../../../machines/defined.ts";
import { type Standing, standingIn } from "../running.ts";
import { addressOf, type Layout, nodesOf } from "./layout.ts";

const ANSWER_MS = 2_000;
/** A spare that is at most so many entries behind takes over without a noticeable pause. */
const CLOSE_ENTRIES = 100;

const READINESS = z.object({
  ready: z.boolean(),
  reasons: z.array(z.object({ code: z.string() })).optional(),
  waitsFor: z.string().optional(),
});

/** What the engine of a partition on one node says. */
export interface Heard extends Standing {
  readonly node: string;
  readonly ready: boolean;
  /** Codes of troubles; a sentence if no engine answered. */
  readonly troubles: readonly string[];
}

export interface Row {
  readonly partition: number;
  /** The owner's node; its address if no node has it. */
  readonly owner?: string;
  /** The node that should own the partition. */
  readonly preferred: string;
  readonly spares: readonly { readonly node: string; readonly lag: number }[];
  readonly whole: boolean;
  readonly troubles: readonly string[];
}

/** Asks an engine for its role and its troubles, which it tells without a token to everybody who can reach it. */
export async function heardOf(layout: Layout, partition: number, node: string): Promise<Heard> {
  const url = addressOf(layout, node, partition);
  try {
    const answer = await fetch(`${url}/readyz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: "error",
    });
    const body: unknown = await answer.json();
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

/** An engine that shares its journal with nobody tells no role. */
const isOwner = ({ ready, role }: Heard): boolean => ready && (role === "owner" || role === undefined);

/**
 * The owner that a spare names, if it runs on none of the partition's nodes, as after a change of the layout. An owner on one of
 * these nodes that has not answered as the owner has just gone, and does not count.
 */
function elsewhere(layout: Layout, partition: number, heard: readonly Heard[]): string | undefined {
  const address = heard.find(({ owner }) => owner !== undefined)?.owner;
  const node = nodesOf(layout).find((each) => addressOf(layout, each, partition) === address);
  return heard.some((each) => each.node === node) ? undefined : (node ?? address);
}
