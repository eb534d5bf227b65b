// Model: results
// C4, C5 and S0.11 restated: what a result says about its call, and results that come first.

import type { CallRef, Input, SourceInput } from "../../../machines/index.ts";
import { close, type Denial, deny, isTentative, missing } from "./fates.ts";
import { type Call, isOpen, workOf, type World } from "./world.ts";

type Of<T extends Input["type"]> = Extract<Input, { type: T }>;
export type Result = Of<"tool.finished" | "tool.failed" | "tool.denied" | "tool.lost">;

export const textOf = (input: SourceInput): string =>
  input.type === "tool.finished"
    ? `+${input.output ?? ""}`
    : input.type === "tool.failed"
      ? `-${input.error}`
      : "";

export function apply(world: World, call: Call, input: Result): void {
  call.request.heardAt = world.at;
  const text = textOf(input);
  if (text !== "") resultHeard(world, call);
  if (text !== "" && input.call.toolUseId === undefined) call.hasUnnamedResult = true;
  switch (input.type) {
    case "tool.finished":
    case "tool.failed":
      return ended(world, call, input);
    case "tool.lost":
      return missing(world, call, input.cause, "result");
    case "tool.denied": {
      const outdoes = isBareFailure(call);
      const denial =
        input.verdict === "rejected"
          ? rejected(call, input)
          : input.verdict === "listed"
            ? listed(call)
            : { cause: input.verdict === "user" ? "direct" : "hook" };
      if (denial) return deny(world, call, { ...denial, outdoes }, true);
      return outdoes && call.state === "failed"
        ? stopped(world, call)
        : missing(world, call, "interrupted", "result");
    }
  }
}

function ended(world: World, call: Call, input: Of<"tool.finished" | "tool.failed">): void {
  const text = textOf(input);
  const isBare = input.bare === true;
  const wasStopped = isBareFailure(call) && isStopped(call);
  const isRest = call.isBare && !isBare && text[0] === call.result[0] && !wasStopped;
  if (!isBare || call.result === "") Object.assign(call, { result: text, isBare });
  if (isRest) return;
  if (isBare && input.type === "tool.failed" && isStopped(call)) {
    if (call.state === "missing-post" && call.evidence === "result") return;
    if (call.state === "denied" && call.isConcluded) return stopped(world, call);
  }
  if (call.state === "denied" && !isTentative(call)) call.ranAfterDenial = true;
  if (isOpen(call) || call.state === "missing-post" || isTentative(call))
    close(world, call, input.type === "tool.finished" ? "completed" : "failed", undefined);
}

/** C2: it ran, and was stopped by whoever rejected it. */
function stopped(world: World, call: Call): void {
  close(world, call, "missing-post", "interrupted");
  call.evidence = "result";
}

const isStopped = ({ isRejected, begun }: Call): boolean => isRejected && begun !== false;

const isBareFailure = ({ isBare, result }: Call): boolean => isBare && result.startsWith("-");

/** No later question on this channel is about the call. */
function resultHeard({ channel }: World, call: Call): void {
  if (!isOpen(call) || !call.hadPre) call.resultOn.add(channel);
  if (call.late?.channel === channel) call.late = undefined;
}

/** C4 */
function rejected(call: Call, input: Of<"tool.denied">): Denial | undefined {
  const { terminal, unmarked } = input;
  call.isRejected = true;
  if (input.beforeRun !== undefined) call.begun = !input.beforeRun;
  const beforeRun = call.begun === undefined ? undefined : !call.begun;
  call.batch.rejected ??= call;
  const first = call.batch.rejected;
  const isAsked = call.question !== undefined && !call.allowed;
  const maybeRan = [
    beforeRun === false,
    beforeRun === undefined && (call.hadPre || call.allowed || (first === call && !unmarked)),
  ].some(Boolean);
  const cannotHave = isAsked && !(beforeRun === false && terminal);
  if (beforeRun !== true && isBareFailure(call)) return undefined;
  if (maybeRan && !cannotHave) return undefined;
  const isConcluded = input.beforeRun === undefined;
  if (first === call) return { cause: "direct", isConcluded };
  return { ...(call.isInDenials ? listed(call) : { cause: "cascade", follows: first }), isConcluded };
}

/** C4: the list names also what fell while it was asked about. */
function listed(call: Call): Denial {
  call.isInDenials = true;
  const first = call.isRejected ? call.batch.rejected : undefined;
  const fell = first !== undefined && first !== call && first.hasDenial;
  return fell ? { cause: "cascade", follows: first } : { cause: "direct", listed: true };
}

/**
 * All that name it; else the first alike and of the same work; else alike, where nobody knew of what work it was.
 * @returns true where there is one.
 */
export function joinOrphan(world: World, ref: CallRef, call: Call): boolean {
  const alike = world.orphans.filter(
    ({ agent, input: { call: of } }) =>
      of.toolUseId === undefined &&
      agent === call.agent &&
      of.tool === ref.tool &&
      of.input?.hash === ref.input?.hash,
  );
  const naming = world.orphans.filter(
    ({ input: { call: of } }) => of.toolUseId !== undefined && of.toolUseId === ref.toolUseId,
  );
  const orphan =
    alike.find(({ request }) => request && workOf(request) === workOf(call.request)) ??
    alike.find(({ request }) => request === undefined);
  const joined = naming.length > 0 ? naming : orphan ? [orphan] : [];
  world.orphans = world.orphans.filter((each) => !joined.includes(each));
  for (const each of joined) apply(world, call, each.input as Result);
  return joined.length > 0;
}
