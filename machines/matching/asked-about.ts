// Asked about
// Decides whether two requests for approval with the same approval id are about the same call.
//
//   Owns:          which facts of two requests must be equal, comparing these facts, the text that names the differences.
//   Does not own:  storing the compared facts (books), refusing a request (routing/approvals/sharing), who may read answers
//                  (runtime/reading/asker).
//
// ASKED-ABOUT-1. An approval id stands for one call: one session, run, agent, call id, tool and input. If one of these facts
//     differs between two requests, or only one of the requests gives the fact, the second request is about another call.
// ASKED-ABOUT-2. An error names the facts that differ, never their values.

import { defined } from "../defined.ts";
import type { ApprovalRequested } from "../inputs.ts";

export interface AskedAbout {
  readonly session: string;
  /** The request or prompt, as the requester named it. */
  readonly run?: string;
  /** The subagent, or the call that started the subagent, as the requester named it. */
  readonly agent?: string;
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

export const contradicting = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  differing(was, now).filter((fact) => named(was, fact) !== undefined && named(now, fact) !== undefined);

/** The text of an error: an approval's id was used again for another call. @param id the id of the approval. */
export const differenceText = (id: string, differs: readonly Fact[]): string =>
  `the id ${id} was used for another call; what differs: ${differs.join(", ")}`;
