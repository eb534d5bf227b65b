// Answers
// Somebody who answers what waits: over HTTP, on the command line or over NATS, until it counts or nobody listens.
//
//   Owns:          finding the approval, saying the decision, knowing whether it counts.
//   Does not own:  which decision, when (round).

import { setTimeout as sleep } from "node:timers/promises";
import { at, listAt, textAt } from "../support/engine/json.ts";
import type { Call } from "./gates.ts";
import type { World } from "./world.ts";

interface Found {
  readonly id: string;
  readonly inputHash: string;
}

/** Resolves once the decision counts, or cannot any more. */
export async function answer(world: World, call: Call, isOver: () => boolean): Promise<void> {
  const { wanted } = call;
  if (wanted === undefined) return;
  const found = await find(world, call, isOver);
  if (found === undefined) return;
  await sleep(wanted.afterMs);
  for (let tries = 0; !isOver() || tries === 0; tries++) {
    const counts = await said(world, call, found);
    if (counts === true) call.accepted = wanted.verdict;
    if (counts !== undefined) return;
    await sleep(100);
  }
}

async function find(world: World, { mark }: Call, isOver: () => boolean): Promise<Found | undefined> {
  while (!isOver()) {
    const { status, body } = await world.ask("GET", "/v1/approvals?state=pending&limit=100");
    if (status === 400) throw new Error(`The list was refused: ${JSON.stringify(body)}`);
    const item = listAt(body, "items").find((each) => JSON.stringify(at(each, "input")).includes(`${mark}"`));
    const [id, inputHash] = [textAt(item, "id"), textAt(item, "inputHash")];
    if (id !== undefined && inputHash !== undefined) return { id, inputHash };
    await sleep(50);
  }
  return undefined;
}

/** @returns whether it counts; undefined where that is not known: it is said again. */
async function said(world: World, call: Call, { id, inputHash }: Found): Promise<boolean | undefined> {
  const { verdict = "deny", way = "HTTP" } = call.wanted ?? {};
  const message = messageOf(call);
  const decision = verdict === "approve" ? { decision: verdict, inputHash } : { decision: verdict, message };
  if (way === "HTTP") {
    const { status } = await world.ask(
      "POST",
      `/v1/approvals/${id}/decision`,
      decision,
      5_000,
      `k-${call.mark}`,
    );
    return status === 200 ? true : status >= 400 && status < 500 && status !== 429 ? false : undefined;
  }
  if (way === "CLI") {
    const words = verdict === "approve" ? ["approve", id] : ["deny", id, "-m", message];
    const { code, err } = await world.claude.desk.run(words);
    if (code === 0) return true;
    return /already|no approval/i.test(err) ? false : undefined;
  }
  try {
    const service = await world.service();
    const given = { approvalId: id, inputHash, ...decision };
    const { result } = await service.decide("desk", given, { key: `k-${call.mark}`, deadlineMs: 5_000 });
    return result === "accepted";
  } catch (error) {
    return at(error, "code") === "UNKNOWN_APPROVAL" ? false : undefined;
  }
}

/** What the agent is told: by it the judge knows whose denial this was. */
export const messageOf = ({ mark }: Call): string => `not ${mark}`;
