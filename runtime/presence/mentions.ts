// Mentions
// Who was asked, and by whom, to look at an approval.
//
//   Owns:          what is known of a mention, and for how long.
//   Does not own:  the table of mentions (passing), notifying the person (panel/notify), who may answer
//                  (machines/evidence/votes).
//
// MENTIONS-1. Of one approval, each person is mentioned once: a later mention takes the place of an earlier one.

import { z } from "zod";
import { nameWithoutDoor } from "../../machines/evidence/votes.ts";
import type { How } from "./passing.ts";

export interface Mention {
  readonly workspace: string;
  /** The id of the approval. */
  readonly id: string;
  /** Who is to look, as people read their name: without the door that it was given at. */
  readonly to: string;
  readonly by: string;
}

const NAME_MAX = 128;

export const MENTION = z.strictObject({ to: z.string().trim().min(1).max(NAME_MAX) });

export const mentionOf = (spot: Pick<Mention, "workspace" | "id">, to: string, by: string): Mention => ({
  ...spot,
  to: nameWithoutDoor(to),
  by,
});

export const MENTIONS: How<Mention> = {
  keyOf: ({ workspace, id, to }) => `${workspace}/${id}/${to}`,
  lastsMs: 3_600_000,
  max: 256,
};
