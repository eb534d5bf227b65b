// Name
// What distinguishes one approval from all others.
//
//   Owns:          the key of a card, finding the card an address names.
//   Does not own:  the cards (model.ts), addresses (route.ts).
//
// NAME-1. The workspace and the id together identify an approval. Two approvals with one id in two workspaces have two
//     cards: an answer to one never answers, confirms or puts away the other.

import type { Card } from "./card/card.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";

export type Place = Pick<ApprovalView, "workspace" | "id">;

/** An approval as an address names it: by its id alone if the address has no workspace. */
export interface ApprovalName {
  readonly id: string;
  readonly workspace?: string;
}

export type Spot = Required<ApprovalName>;

export const keyOf = ({ workspace, id }: Spot): string => `${workspace}/${id}`;

export const keyOfCard = ({ approval }: Card): string => keyOf(approval);

export const nameOf = ({ approval: { workspace, id } }: Card): ApprovalName => ({ workspace, id });

/** The card of an approval. Without a workspace, the card with that id, if there is only one. */
export function cardNamed(cards: readonly Card[], { workspace, id }: ApprovalName): Card | undefined {
  const found = cards.filter(
    ({ approval }) => approval.id === id && approval.workspace === (workspace ?? approval.workspace),
  );
  return found.length === 1 ? found[0] : undefined;
}
