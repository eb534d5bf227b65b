// Child
// The messages between the engine's process and its supervisor, over Node's channel.
//
//   Owns:          the messages, both ways.
//   Does not own:  starting and ending processes (supervisor.ts).

import { z } from "zod";

const note = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), url: z.string() }),
  z.object({ type: z.literal("waiting"), reason: z.string(), next: z.string() }),
  z.object({ type: z.literal("refused"), reason: z.string(), next: z.string() }),
  z.object({ type: z.literal("failed"), reason: z.string(), next: z.string() }),
  z.object({
    type: z.literal("lost"),
    reason: z.string(),
    count: z.number(),
    missing: z.array(z.object({ first: z.number(), last: z.number() })),
  }),
  z.object({ type: z.literal("mended"), reason: z.string(), next: z.string() }),
  z.object({ type: z.literal("warning"), reason: z.string(), next: z.string() }),
]);

/**
 * `refused` and `failed` are the child's last notes before it ends: another start would not help, or may help. `lost`: the child
 * runs without some entries of its journal. `mended`: it set aside an entry that ended earlier processes. `warning`: it runs, but
 * a user should look at something.
 */
export type Note = z.infer<typeof note>;

/** @returns undefined for any other message. */
export const readNote = (message: unknown): Note | undefined => note.safeParse(message).data;

/** Sends a note to the supervisor; does nothing if there is no supervisor. */
export function tellSupervisor(message: Note): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
