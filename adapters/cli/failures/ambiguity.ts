// Ambiguity
// Explains that an id occurs in several workspaces or sessions, and lists a command for each of these.
//
//   Owns:          the options that name one of several workspaces or sessions.
//   Does not own:  whether an id is ambiguous (the engine), the command that the user typed.

import { z } from "zod";

const several = z.looseObject({
  error: z.looseObject({ code: z.literal("AMBIGUOUS"), message: z.string() }),
  candidates: z.array(z.looseObject({ workspace: z.string(), sessionId: z.string() })),
});

export interface Ambiguity {
  readonly message: string;
  readonly choices: string;
}

/** @param command the command, as typed; undefined to print only the options. @returns undefined for any other answer. */
export function ambiguityIn(body: unknown, command?: string): Ambiguity | undefined {
  const told = several.safeParse(body);
  if (!told.success) return undefined;
  const { error, candidates } = told.data;
  const lines = candidates.map(({ workspace, sessionId }) => {
    const near = candidates.filter((other) => other.workspace === workspace).length;
    const options = [
      ...(near < candidates.length ? [`--workspace ${workspace}`] : []),
      ...(near > 1 ? [`--session ${sessionId}`] : []),
    ];
    return `  ${[...(command === undefined ? [] : [command]), ...options].join(" ")}`;
  });
  return { message: `${error.message} Choose one:`, choices: lines.join("\n") };
}
