// Name
// What identifies an approval: its workspace and its id.
//
//   Owns:          the key of a card, finding the card that the page's address names.
//   Does not own:  the cards (model.ts), the page's address (route.ts).
//
// NAME-1. Only workspace and id together identify an approval. Two approvals with the same id in two workspaces have two cards:
//     an answer to one never answers, confirms or puts away the other.

/** An approval as a link names it: by its id alone if the link has no workspace. */
export interface ApprovalName {
  readonly id: string;
  readonly workspace?: string;
}

export type Spot = Required<ApprovalName>;

interface Named {
  readonly approval: Spot;
}

export const keyOf = ({ workspace, id }: Spot): string => `${workspace}/${id}`;

export const keyOfCard = ({ approval }: Named): string => keyOf(approval);

export const nameOf = ({ approval: { workspace, id } }: Named): Spot => ({ workspace, id });

/** The card of an approval. If the name has no workspace: the card with this id, if only one card has the id. */
export function cardNamed<C extends Named>(
  cards: readonly C[],
  { workspace, id }: ApprovalName,
): C | undefined {
  const found = cards.filter(
    ({ approval }) => approval.id === id && approval.workspace === (workspace ?? approval.workspace),
  );
  return found.length === 1 ? found[0] : undefined;
}
