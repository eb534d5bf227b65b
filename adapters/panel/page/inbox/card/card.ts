// Card data
// One approval in the inbox, and how far its answer is.
//
//   Owns:          its shape.
//   Does not own:  how it looks (card.tsx), which cards there are (model.ts).

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
  /** Not sent yet: it can be taken back. */
  | { readonly is: "held"; readonly reply: Reply }
  | { readonly is: "sending"; readonly reply: Reply }
  | { readonly is: "committed"; readonly reply: Reply; readonly seen?: "obeyed" | "ran anyway" }
  | { readonly is: "gone"; readonly why: string };

export interface Card {
  readonly approval: ApprovalView;
  readonly phase: Phase;
  readonly call?: CallAnswer;
  /** Its session's. */
  readonly title?: string;
  /** The folder that its session works in. */
  readonly cwd?: string;
}

export type Mode = "reading" | "denying" | "interrupting" | "editing" | "ruling";

/** What the parts of the chosen card are given. */
export interface WholeProps {
  readonly card: Card;
  /** The cards that were looked at before it, the last one first. */
  readonly before: readonly Card[];
  readonly mode: Mode;
  /** True while it has not been on the screen long enough to take an answer. */
  readonly isSettling: boolean;
  /** @param event that opens a form. */
  readonly onMode: (mode: Mode, event?: Event) => void;
  /** @param isForAlike the answer is meant for all that look the same; it is asked for once more. */
  readonly onReply: (seen: Seen, reply: Reply, isForAlike: boolean) => void;
  /** True if the card is shown within its session: no link leads there. */
  readonly isInSession?: boolean;
}
