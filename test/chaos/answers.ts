// Answers
// Somebody who answers what waits, over HTTP, on the command line or over NATS, and writes down what came back.
//
//   Owns:          finding the approval, saying the decision, what each reply means.
//   Does not own:  which decision, when (round), what the answers amount to (causes).
//
// CHAOS-ANSWERS-1. Only the engine's word about this decision is a reply: NOT_COUNTED or UNKNOWN_APPROVAL refuse,
//     whatever the status says; anything else is lost, and unsent where nobody listened.

import { userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../adapters/nats/client/client.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import type { Ended } from "../support/processes/program.ts";
import { type Answer, type Call, type Fate, now, type Verdict, type Way } from "./book.ts";
import { fateOf, hashOf } from "./causes.ts";
import { markIn, type Shown, shownIn } from "./shown.ts";
import type { Ask, Reply } from "./asking.ts";

export interface Plan {
  readonly verdict: Verdict;
  readonly way: Way;
  readonly afterMs: number;
  /** Approves another input. */
  readonly isEdited: boolean;
  /** The first reply is not waited for longer. */
  readonly hangsUpAfterMs: number | undefined;
  /** `again` says the opposite afterwards; `late` answers what is over. */
  readonly when: "once" | "again" | "late";
}

const APPROVER = "desk";
const BY: Readonly<Record<Way, string>> = {
  HTTP: `local:${userInfo().username}`,
  CLI: `local:${userInfo().username}`,
  NATS: `nats:${APPROVER}`,
};

/** What is answered there. */
export interface Answerable {
  readonly ask: Ask;
  /** A command, for that engine. */
  run(args: readonly string[]): Promise<Ended>;
  /** As a service that decides over NATS. */
  service(): Promise<Client>;
  /** As whom the engine that decides knows this user, where the answer is passed on to it. */
  readonly through?: string;
}

/** Where an answer is said, and what is seen meanwhile. */
interface Place {
  readonly world: Answerable;
  readonly call: Call;
  readonly views: Shown[];
}

/** Resolves once the answer counts, or cannot any more. @param views to add what was seen to. */
export async function answer(
  world: Answerable,
  call: Call,
  plan: Plan,
  views: Shown[],
  isOver: () => boolean,
): Promise<void> {
  const id = await find(world, call, isOver);
  if (id === undefined) return;
  const place = { world, call, views };
  if (plan.when === "late") {
    if (await isShownOver(place, id)) await give(place, answerOf(place, id, plan));
    return;
  }
  await sleep(plan.afterMs);
  const first = answerOf(place, id, plan);
  await give(place, first, plan.hangsUpAfterMs, isOver);
  if (plan.when !== "again" || fateOf(first) !== "accepted") return;
  const verdict = plan.verdict === "approve" ? "deny" : "approve";
  await give(place, answerOf(place, id, { verdict, way: "HTTP", isEdited: false }));
}

function answerOf(
  { call, world: { through } }: Place,
  approvalId: string,
  { verdict, way, isEdited }: Pick<Plan, "verdict" | "way" | "isEdited">,
): Answer {
  return {
    approvalId,
    inputHash: hashOf(call.input),
    verdict,
    way,
    by: way === "NATS" ? BY[way] : (through ?? BY[way]),
    ...(verdict === "deny" && { message: denialOf(call) }),
    ...(verdict === "approve" && isEdited && { updatedInput: editedOf(call.input) }),
    tries: [],
  };
}

/** What the agent is told: by it the judge knows whose denial this was. */
const denialOf = ({ mark }: Call): string => `not ${mark}`;

/** The driver's denial in what the real client told its model. */
export const denialIn = (text: string): string | undefined => /\bnot c\d+-\d+-\d+/.exec(text)?.[0];

/** A command or path that can be seen to have been used instead. */
export function editedOf(input: object): object {
  const [key = ""] = ["command", "file_path"].filter((each) => each in input);
  return { ...input, [key]: `${textAt(input, key) ?? ""}.edited` };
}

async function find(world: Answerable, { mark }: Call, isOver: () => boolean): Promise<string | undefined> {
  while (!isOver()) {
    const { status, body } = await world.ask("GET", "/v1/approvals?state=pending&limit=100");
    if (status === 400) throw new Error(`The list was refused: ${JSON.stringify(body)}`);
    const item = listAt(body, "items").find((each) => markIn(at(each, "input")) === mark);
    const id = textAt(item, "id");
    if (id !== undefined) return id;
    await sleep(50);
  }
  return undefined;
}

const OVER_MS = 20_000;

async function isShownOver({ world, views }: Place, id: string): Promise<boolean> {
  for (const until = performance.now() + OVER_MS; performance.now() < until;) {
    const view = await viewed(world, id);
    if (view && view.state !== "pending") {
      views.push(view);
      return true;
    }
    await sleep(100);
  }
  return false;
}

async function viewed(world: Answerable, id: string): Promise<Shown | undefined> {
  const askedAt = now();
  const { status, body } = await world.ask("GET", `/v1/approvals/${id}`);
  return status === 200 ? shownIn(body, "view", { askedAt, readAt: now() }) : undefined;
}

const AGAIN_MS = 100;
/** After a reply was not waited for: long enough for the first one to be done. */
const LOOK_AGAIN_MS = 1_500;
const REPLY_MS = 5_000;

/** Says it until there is a reply, at least once; then looks at what the engine shows. */
async function give(
  { world, call, views }: Place,
  given: Answer,
  hangsUpAfterMs?: number,
  isOver: () => boolean = () => true,
): Promise<void> {
  call.answers.push(given);
  const key = `k-${call.mark}-${call.answers.length}`;
  do {
    const withinMs = given.tries.length === 0 ? (hangsUpAfterMs ?? REPLY_MS) : REPLY_MS;
    const sentAt = now();
    const fate = await said(world, given, { key, withinMs });
    given.tries.push({ sentAt, endedAt: now(), fate });
    if (fate === "accepted" || fate === "refused") break;
    await sleep(withinMs === REPLY_MS ? AGAIN_MS : LOOK_AGAIN_MS);
  } while (!isOver());
  if (fateOf(given) !== "accepted") return;
  const view = await viewed(world, given.approvalId);
  if (view) views.push(view);
}

interface Sending {
  readonly key: string;
  readonly withinMs: number;
}

async function said(world: Answerable, given: Answer, { key, withinMs }: Sending): Promise<Fate> {
  const { approvalId, inputHash, verdict, way, message, updatedInput } = given;
  const decision = {
    decision: verdict,
    inputHash,
    ...(message !== undefined && { message }),
    ...(updatedInput && { updatedInput }),
  };
  if (way === "HTTP") {
    const path = `/v1/approvals/${approvalId}/decision`;
    return fateOfReply(await world.ask("POST", path, { body: decision, key, withinMs }));
  }
  if (way === "CLI") {
    const edit = updatedInput ? ["--input", JSON.stringify(updatedInput)] : [];
    const words =
      verdict === "approve" ? ["approve", approvalId, ...edit] : ["deny", approvalId, "-m", message ?? ""];
    return fateOfCommand(await world.run(words));
  }
  try {
    const service = await world.service();
    const options = { key, deadlineMs: REPLY_MS };
    const { result } = await service.decide(APPROVER, { approvalId, ...decision }, options);
    return result === "accepted" ? "accepted" : "refused";
  } catch (error) {
    return at(error, "code") === "UNKNOWN_APPROVAL" ? "refused" : "lost";
  }
}

const REFUSALS: readonly (string | undefined)[] = ["NOT_COUNTED", "UNKNOWN_APPROVAL"];

/** CHAOS-ANSWERS-1. */
export function fateOfReply({ status, isUnsent, body }: Reply): Fate {
  if (status === 200 && textAt(body, "result") === "accepted") return "accepted";
  if (REFUSALS.includes(textAt(body, "error", "code"))) return "refused";
  return isUnsent ? "unsent" : "lost";
}

const REFUSED = /The decision does not count|There is no approval|Nothing changed/;

/** CHAOS-ANSWERS-1. A command tells no code; whether it reached an engine is not known. */
export function fateOfCommand({ code, err }: { readonly code: number | null; readonly err: string }): Fate {
  if (code === 0) return "accepted";
  return REFUSED.test(err) ? "refused" : "lost";
}
