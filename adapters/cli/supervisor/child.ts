// Child
// The messages that the engine's process and its supervisor exchange over Node's channel between processes.
//
//   Owns:          the form of the messages between the engine's process and its supervisor.
//   Does not own:  starting and ending processes (supervisor.ts).

import { z } from "zod";

const note = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), url: z.string() }),
  z.object({
    type: z.enum(["waiting", "refused", "failed", "mended", "warning"]),
    reason: z.string(),
    next: z.string(),
  }),
  z.object({
    type: z.literal("lost"),
    reason: z.string(),
    count: z.number(),
    missing: z.array(z.object({ first: z.number(), last: z.number() })),
  }),
]);

/**
 * `waiting`: the child waits until it can start. `refused`: the child ends, and another start would not help. `failed`: the
 * child ends, and another start may help. `lost`: the child runs without some entries of its journal. `mended`: the child set
 * aside an entry that ended earlier children, or took over as the owner. `warning`: the child runs, but a user should look at
 * something.
 */
export type Note = z.infer<typeof note>;

export const readNote = (message: unknown): Note | undefined => note.safeParse(message).data;

/** Sends a note to the supervisor; does nothing if there is no supervisor. */
export function tellSupervisor(message: Note): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
