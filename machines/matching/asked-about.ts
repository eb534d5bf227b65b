// Asked about
// Compares what an approval's id was asked about with a later request under the same id.
//
//   Owns:          the facts that make two requests for approval equal, comparing them, the words for a difference.
//   Does not own:  storing the facts (books), refusing (routing/sharing), who may get an answer (runtime/reading/asker).
//
// ASKED-ABOUT-1. An id stands for one call: one session, run, agent, call id, tool and input. If one of these differs,
//     or is given only the first or only the second time, it is another request.
// ASKED-ABOUT-2. An error gives only the names of the differing facts, never their values.

import { defined } from "../defined.ts";
import type { ApprovalRequested } from "../inputs.ts";

export interface AskedAbout {
  readonly session: string;
  /** The request or prompt that the asker named. */
  readonly run?: string;
  /** The subagent, or the call that started it, as the asker named it. */
  readonly agent?: string;
  /** The id of the tool call, as the asker named it. */
  readonly call?: string;
  readonly tool?: string;
  readonly inputHash?: string;
}

const FACTS = ["session", "run", "agent", "call", "tool", "input"] as const;
export type Fact = (typeof FACTS)[number];

export function askedAbout(session: string, input: ApprovalRequested): AskedAbout {
  const { promptId: run, agentId, parentToolUseId, call: ref } = input;
  const agent = agentId ?? parentToolUseId;
  const { toolUseId: call, tool } = ref;
  return { session, ...defined({ run, agent, call, tool, inputHash: ref.input?.hash }) };
}

const named = (asked: Partial<AskedAbout>, fact: Fact): string | undefined =>
  asked[fact === "input" ? "inputHash" : fact];

export const differing = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  FACTS.filter((fact) => named(was, fact) !== named(now, fact));

/** The names of the facts that both give and that differ. */
export const contradicting = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  differing(was, now).filter((fact) => named(was, fact) !== undefined && named(now, fact) !== undefined);

/** @param id the approval that was asked about another call. */
export const differenceText = (id: string, differs: readonly Fact[]): string =>
  `the id ${id} was used for another call; what differs: ${differs.join(", ")}`;
