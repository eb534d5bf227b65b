// Newest letters
// Reads the newest dead letters that the user may see.
//
//   Owns:          how many letters are shown, and how many pages are read for them.
//   Does not own:  when the letters are read, and which are open (model).
//
// LETTERS-NEWEST-1. Somebody who may see some workspaces only is shown their newest letters, also if others have many newer ones.

import type { WithPeers } from "../../../../runtime/peers/peers.ts";
import type { Page } from "../../../../runtime/reading/paging.ts";
import type { DeadLetter } from "../../../../runtime/rows/dead-letters.ts";
import { ask } from "../engine/api.ts";

export interface Letters extends WithPeers {
  readonly items: readonly DeadLetter[];
  readonly isMore: boolean;
}

const SHOWN = 200;
/** How many pages are read at most. Where most letters are of workspaces that the user may not see, a page has few items. */
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
