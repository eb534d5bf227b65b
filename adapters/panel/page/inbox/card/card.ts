// Card data
// The data of one card: an approval in the inbox, and how far an answer to it has got.
//
//   Owns:          the shape of that data.
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

export type Phase =
  | { readonly is: "open"; readonly failure?: ApiError }
  /** The answer is not sent yet: a person can undo it. */
  | { readonly is: "held"; readonly reply: Reply }
  | { readonly is: "sending"; readonly reply: Reply }
  | { readonly is: "committed"; readonly reply: Reply; readonly seen?: "obeyed" | "ran anyway" }
  | { readonly is: "gone"; readonly why: string };

export interface Card {
  readonly approval: ApprovalView;
  readonly phase: Phase;
  readonly call?: CallAnswer;
  /** The title of the session. */
  readonly title?: string;
  /** The folder that the session works in. */
  readonly cwd?: string;
}

export type Mode = "reading" | "denying" | "interrupting" | "editing" | "ruling";

/** What the parts of the chosen card get as properties. */
export interface WholeProps {
  readonly card: Card;
  /** The cards that a person looked at before this one, the last one first. */
  readonly before: readonly Card[];
  readonly mode: Mode;
  /** True while the card has not been on the screen long enough to take an answer. */
  readonly isSettling: boolean;
  /** @param event the press that opens a form. */
  readonly onMode: (mode: Mode, event?: Event) => void;
  /** @param isForAlike the answer is for all approvals with the same input; a person must confirm it. */
  readonly onReply: (seen: Seen, reply: Reply, isForAlike: boolean) => void;
  /** Chooses the next pending approval; undefined if no other one waits in a list. */
  readonly onNext?: (() => void) | undefined;
  /** True if the card is shown within its session: no link leads there. */
  readonly isInSession?: boolean;
}
