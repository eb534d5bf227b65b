// Asked about
// What an approval's id was asked about, and what differs where it comes again.
//
//   Owns:          the facts that make two requests for approval equal, comparing them, the words for a difference.
//   Does not own:  keeping them (books), refusing (routing/sharing), who is told an answer (runtime/reading/asker).
//
// ASKED-ABOUT-1. An id stands for one call: one session, run, agent, call id, tool and input. If one of these differs,
//     or one is given only the first or only the second time, it is another request.
// ASKED-ABOUT-2. A difference is told by its name alone, never by what it is.

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

/** What a difference is called; in this order. */
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

/** @returns the names of those that differ. */
export const differing = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  FACTS.filter((fact) => named(was, fact) !== named(now, fact));

/** The same of two that may each leave something out: only what both name can differ. */
export const contradicting = (was: Partial<AskedAbout>, now: Partial<AskedAbout>): readonly Fact[] =>
  differing(was, now).filter((fact) => named(was, fact) !== undefined && named(now, fact) !== undefined);

/** @param id of the approval that was asked about something else. */
export const differenceText = (id: string, differs: readonly Fact[]): string =>
  `the id ${id} was used for another call; what differs: ${differs.join(", ")}`;
