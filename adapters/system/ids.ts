// System ids
// Makes ids that no other process makes.
//
//   Owns:          the choice of UUID version 7, which sorts by creation time.
//   Does not own:  ids made inside a turn, which come from the journal position.
//
// SYSTEM-IDS-1. Every id is a UUID of version 7, is made once, and sorts after the earlier ones.

import { v7 } from "uuid";
import type { Ids } from "../../runtime/ports.ts";

export const systemIds = (): Ids => ({ uuid: () => v7() });
