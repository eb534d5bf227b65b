// Asked about
// Decides whether two requests for approval under one id are about the same call.
//
//   Owns:          the facts that must be equal, comparing them, the text that names the differences.
//   Does not own:  storing these facts (books), refusing a request that differs (routing/sharing), deciding who may read
//                  answers (runtime/reading/asker).
//
// ASKED-ABOUT-1. An approval id stands for one call: one session, run, agent, call id, tool and input. If one of these facts
//     differs, or only one of two requests gives it, the second request is about another call.
// ASKED-ABOUT-2. An error names the facts that differ, never their values.

import { defined } from "../defined.ts";
import type { ApprovalRequested } from "../inputs.ts";

export interface AskedAbout {
  readonly session: string;
  /** The request or prompt, as the requester named it. */
  readonly run?: string;
  /** The subagent, or the call that started it, as the requester named it. */
  readonly agent?: string;
  /** The id of the tool call, as the requester named it. */
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

/** The names of the facts that both requests give and that differ. */
export const contradicting = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  differing(was, now).filter((fact) => named(was, fact) !== undefined && named(now, fact) !== undefined);

/** @param id the id of an approval that was requested for another call. */
export const differenceText = (id: string, differs: readonly Fact[]): string =>
  `the id ${id} was used for another call; what differs: ${differs.join(", ")}`;
