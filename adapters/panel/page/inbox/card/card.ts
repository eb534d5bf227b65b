// Card data
// The data of a card: an approval in the inbox, and how far an answer to it has got.
//
//   Owns:          the form of a card's data.
//   Does not own:  how a card looks (card.tsx), which cards there are (model.ts).

import type { CallAnswer } from "../../../../../runtime/reading/queries.ts";
import type { ApprovalView } from "../../../../../runtime/rows/views.ts";
import type { ApiError } from "../../engine/api.ts";
import type { Seen } from "../seen/seen.ts";

export interface Reply {
  readonly decision: "approve" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: unknown;
}

interface Sent<Is extends string> {
  readonly is: Is;
  readonly reply: Reply;
  /** What the agent was seen to do; the page may learn this before the engine's reply to the answer (HEARD-1). */
  readonly seen?: "obeyed" | "ran anyway";
}

export type Phase =
  | { readonly is: "open"; readonly failure?: ApiError }
  /** The answer is not sent yet: a person can undo the answer. */
  | { readonly is: "held"; readonly reply: Reply }
  | Sent<"sending">
  | Sent<"committed">
  | { readonly is: "gone"; readonly why: string };

export interface Card {
  readonly approval: ApprovalView;
  readonly phase: Phase;
  readonly call?: CallAnswer;
  /** The session's title, and the folder that it works in. */
  readonly title?: string;
  readonly cwd?: string;
}

export type Mode = "reading" | "denying" | "interrupting" | "editing" | "ruling";

/** The properties that the parts of the chosen card have in common. */
export interface WholeProps {
  readonly card: Card;
  /** The cards that a person looked at before this one, the last one first. */
  readonly before: readonly Card[];
  readonly mode: Mode;
  /** True while the card has not been seen long enough to take an answer (SEEN-2). */
  readonly isSettling: boolean;
  /** @param event the press that opens a form. */
  readonly onMode: (mode: Mode, event?: Event) => void;
  /** @param isForAlike true if the answer is for all approvals with the same input: a sheet then asks for confirmation. */
  readonly onReply: (seen: Seen, reply: Reply, isForAlike: boolean) => void;
  /** Chooses the next pending approval; undefined if no other one waits, or the card is not in a list. */
  readonly onNext?: (() => void) | undefined;
  /** True if the card is shown within its session, so that it needs no link to the session. */
  readonly isInSession?: boolean;
}
