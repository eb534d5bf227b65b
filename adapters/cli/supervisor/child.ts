// Child
// What the engine's process tells its supervisor, over Node's channel between the two.
//
//   Owns:          the messages, both ways.
//   Does not own:  the processes.

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
 * `refused` and `failed` are the child's last words: it ends, and starting it again would not help, or may. `lost`: it goes
 * on without entries of its journal. `mended`: what ended processes before it was set aside. `warning`: it runs, and this should be
 * seen to.
 */
export type Note = z.infer<typeof note>;

/** @returns undefined for a message that is none of these. */
export function readNote(message: unknown): Note | undefined {
  return note.safeParse(message).data;
}

/** Tells the supervisor; does nothing where there is none, or no longer one. */
export function tellSupervisor(message: Note): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
