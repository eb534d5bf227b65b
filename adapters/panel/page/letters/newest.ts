// Newest letters
// Reads the newest dead letters that a person may see.
//
//   Owns:          how many dead letters are shown, and how many pages are read for them.
//   Does not own:  when the dead letters are read, and which are open (model).
//
// LETTERS-NEWEST-1. A person who may see only some workspaces is shown the newest dead letters of these, even if other workspaces
//     have many newer ones.

import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { ask } from "../engine/api.ts";

export interface Letters extends WithPeers {
  readonly items: readonly DeadLetter[];
  readonly isMore: boolean;
}

const SHOWN = 200;
/** How many pages are read at most: a page has few items if most dead letters are of workspaces that the person may not see. */
const PAGES_MAX = 10;

export async function newest(): Promise<Letters> {
  const items: DeadLetter[] = [];
  const silent = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && items.length < SHOWN; pages += 1) {
    const limit = SHOWN - items.length;
    const page = await ask<Page<DeadLetter> & WithPeers>("/v1/dead-letters", { limit, cursor });
    items.push(...page.items);
    for (const name of page.partial ?? []) silent.add(name);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return { items, isMore: cursor !== undefined, ...(silent.size > 0 && { partial: [...silent] }) };
}
