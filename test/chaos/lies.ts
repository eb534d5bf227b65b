// Lies
// What an engine does that lies about answers: the judge must find it.
//
//   Owns:          the lies, and where they sit between the doors and the engine.
//   Does not own:  putting them into a copy of the engine (liar).
//
// Each lie leaves a store and an export that agree with themselves.

import { userInfo } from "node:os";
import type { Decision, SessionId, WorkspaceId } from "../../machines/index.ts";
import type { Caller, Door } from "../../runtime/door/door.ts";
import type { Engine } from "../../runtime/engine/engine.ts";
import type { Queries } from "../../runtime/reading/queries.ts";
import type { Reply } from "../../runtime/turn/turn-result.ts";

/**
 * `approves` approves every other approval by itself, in a person's name. `turns` makes an approval of each denial, and
 * loses the reply. `swaps` gives two answers to each other's approval. `late` acknowledges an answer, and gives it
 * three seconds later.
 */
export const LIES = ["approves", "turns", "swaps", "late"] as const;
export type Lie = (typeof LIES)[number];

export interface Inside {
  readonly engine: Pick<Engine, "onChanges" | "own">;
  readonly door: Pick<Door, "decision" | "decisionIn">;
  readonly queries: Pick<Queries, "getApproval">;
  readonly sleep: (ms: number) => Promise<void>;
}

export function lieAs(lie: Lie, inside: Inside): void {
  if (lie === "approves") approveAlone(inside);
  else hearAnswers(inside, { turns, swaps, late }[lie](inside));
}

/** Long enough for the gate to wait already. */
const PAUSE_MS = 200;

function approveAlone({ engine, queries, sleep }: Inside): void {
  const by = `local:${userInfo().username}`;
  type Change = Parameters<Parameters<Engine["onChanges"]>[0]>[0][number];
  const approve = async ({ id, ...change }: Change): Promise<void> => {
    const [workspace, session] = [change.workspace as WorkspaceId, change.sessionId as SessionId];
    await sleep(PAUSE_MS);
    const { inputHash = "" } = queries.getApproval(id, { workspace }) ?? {};
    const approvalId = id as Decision["approvalId"];
    await engine.own(workspace, session, {
      type: "decision",
      approvalId,
      decision: "approve",
      inputHash,
      by,
    });
  };
  let count = 0;
  engine.onChanges((changes) => {
    for (const change of changes)
      if (change.entity === "approval" && change.from === null && count++ % 2 === 0)
        approve(change).catch(() => undefined);
  });
}

type Words = Readonly<Record<string, unknown>>;

/** An answer as it came in. */
interface Said {
  readonly id: string;
  readonly words: Words;
  readonly by: string;
}

type Pass = (said: Said) => Promise<Reply>;
type Liar = (said: Said, pass: Pass) => Promise<Reply>;

const verdictOf = ({ words }: Said): unknown => words["decision"];

const turns =
  ({ queries }: Inside): Liar =>
  async (said, pass) => {
    if (verdictOf(said) === "approve") return pass(said);
    const { message: _, ...words } = { message: undefined, ...said.words };
    const inputHash = queries.getApproval(said.id)?.inputHash;
    await pass({ ...said, words: { ...words, decision: "approve", inputHash } });
    throw new Error("The reply is lost.");
  };

/** Longer is not waited for another answer; the driver waits five seconds for its reply. */
const PAIR_MS = 3_000;

function swaps({ queries, sleep }: Inside): Liar {
  let first: { readonly said: Said; readonly meet: (other: Said) => void } | undefined;
  const give = ({ id }: Said, { words, by }: Said, pass: Pass): Promise<Reply> =>
    pass({ id, words: { ...words, inputHash: queries.getApproval(id)?.inputHash }, by });
  return async (said, pass) => {
    if (first && first.said.id !== said.id && verdictOf(first.said) !== verdictOf(said)) {
      const { said: other, meet } = first;
      first = undefined;
      meet(said);
      return give(said, other, pass);
    }
    const met = new Promise<Said>((resolve) => (first = { said, meet: resolve }));
    const other = await Promise.race([met, sleep(PAIR_MS).then(() => undefined)]);
    if (other) return give(said, other, pass);
    if (first?.said === said) first = undefined;
    return pass(said);
  };
}

const LATE_MS = 3_000;

function late({ queries, sleep }: Inside): Liar {
  return (said, pass) => {
    if (queries.getApproval(said.id)?.state === "pending")
      sleep(LATE_MS)
        .then(() => pass(said))
        .catch(() => undefined);
    return Promise.resolve(accepted(said));
  };
}

/** As the engine would have said it, and of no entry of the journal. */
function accepted(said: Said): Reply {
  const state = verdictOf(said) === "approve" ? "approved" : "denied";
  const approvalId = said.id as Decision["approvalId"];
  return { position: 0, at: 0, outcome: "applied", answers: [{ approvalId, result: "accepted", state }] };
}

/** Lets the liar hear what people and services answer, before the engine does. */
function hearAnswers({ door }: Inside, liar: Liar): void {
  const [decision, decisionIn] = [door.decision.bind(door), door.decisionIn.bind(door)];
  const heard = async (said: Said, pass: Pass): Promise<Reply> => {
    const reply = await liar(said, pass);
    const approvalId = said.id as Decision["approvalId"];
    return { ...reply, answers: reply.answers.map((each) => ({ ...each, approvalId })) };
  };
  door.decision = (id, body, caller, within) =>
    heard({ id, words: wordsIn(body), by: caller.by }, (said) =>
      decision(said.id, bytesOf(said.words), callerOf(caller, said), within),
    );
  door.decisionIn = async (workspace, body, caller) => {
    const { approvalId, ...words } = wordsIn(body);
    const id = String(approvalId);
    const reply = await heard({ id, words, by: caller.by }, async (said) => {
      const given = bytesOf({ ...said.words, approvalId: said.id });
      return (await decisionIn(workspace, given, callerOf(caller, said))).reply;
    });
    return { approvalId: id, reply };
  };
}

/** A key of its own for each approval: two answers that change places would use the other's. */
const callerOf = (caller: Caller, { id, by }: Said): Caller => ({
  ...caller,
  by,
  ...(caller.key !== undefined && { key: `${caller.key}-${id}` }),
});

const wordsIn = (body: Uint8Array): Words => JSON.parse(new TextDecoder().decode(body)) as Words;
const bytesOf = (words: Words): Uint8Array => new TextEncoder().encode(JSON.stringify(words));
