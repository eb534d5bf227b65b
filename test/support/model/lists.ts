// Model: lists
// C3 and C4 restated for the client's own list of a message's calls: which calls it means, and what it says of them.

import type { CallRef, Input } from "../../../machines/index.ts";
import { enter } from "./calls.ts";
import { close, conclude, isTentative, missing } from "./fates.ts";
import { apply, joinOrphan, type Result } from "./results.ts";
import { speaker } from "./speakers.ts";
import { type Call, isOpen, workOf, type World } from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;

export function batchDone(world: World, input: Of<"tool.batch">): void {
  const agent = speaker(world, input);
  const listed: Call[] = [];
  const doubtful: Call[] = [];
  const given = input.calls.map((ref) => {
    const known = ref.toolUseId === undefined ? likeIn(world, agent, ref, listed) : world.named(ref);
    if (known) listed.push(known);
    return known;
  });
  for (const [place, ref] of input.calls.entries()) {
    const call = given[place] ?? enter(world, agent, ref, input, { place });
    if (!given[place]) listed.push(call);
    call.index = place;
    if (!given[place]) joinOrphan(world, ref, call);
    if (ref.error !== undefined) {
      broke(world, call);
      continue;
    }
    if (!call.listed) call.told = ref.told;
    call.listed = true;
    if (!call.deferred) doubtful.push(call);
  }
  adopt(
    world,
    agent,
    doubtful.filter((call) => call.useId === undefined && isOpen(call) && call.result === ""),
  );
  for (const { batch } of listed) Object.assign(batch, { ordered: true, closed: true });
  for (const { request } of listed) conclude(world, request);
  for (const call of doubtful) if (isOpen(call)) missing(world, call, "unreported", "batch");
  const batch = world.agents.get(agent)?.batch;
  if (listed.length === 0 && batch) batch.closed = true;
}

/** C3: a result of another input is of the one listed call of its tool that has none, if it is the only such result. */
function adopt(world: World, agent: string, listed: readonly Call[]): void {
  for (const call of listed) {
    const ofTool = world.orphans.filter(
      ({ agent: by, input: { call: ref }, request }) =>
        by === agent &&
        ref.toolUseId === undefined &&
        ref.tool === call.tool &&
        (request === undefined || workOf(request) === workOf(call.request)),
    );
    const [only] = ofTool;
    const isOne = ofTool.length === 1 && listed.filter(({ tool }) => tool === call.tool).length === 1;
    if (!only || !isOne) continue;
    world.orphans = world.orphans.filter((each) => each !== only);
    apply(world, call, only.input as Result);
  }
}

/** C3: the list itself says that the call failed. */
function broke(world: World, call: Call): void {
  if (call.result !== "") return;
  call.request.heardAt = world.at;
  call.result = "-";
  if (isOpen(call) || call.state === "missing-post" || isTentative(call))
    close(world, call, "failed", undefined);
}

function likeIn(world: World, agent: string, ref: CallRef, listed: readonly Call[]): Call | undefined {
  const free = (call: Call): boolean => !listed.includes(call);
  const closed = world.closed(agent, ref).find((call) => free(call) && !call.batch.ordered);
  if (closed) return closed;
  for (const state of ["processing", "queued"]) {
    const open = world
      .open(
        (call) =>
          call.state === state &&
          call.agent === agent &&
          call.tool === ref.tool &&
          call.hash === ref.input?.hash,
      )
      .filter(free)
      .sort((a, b) => a.place - b.place);
    if (open[0]) return open[0];
  }
  return undefined;
}
