// None there
// What a list says that has nothing.
//
//   Owns:          naming the workspace that was asked for, and saying if nothing is known of it.
//   Does not own:  the lists.

import { sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";

/** @param none what is said without a workspace, without its full stop. @returns a sentence, or two. */
export async function noneThere(
  none: string,
  client: Client,
  workspace: string | undefined,
): Promise<string> {
  if (workspace === undefined) return `${none}.`;
  const [known] = await client.list("/v1/sessions", sessionAnswer, { workspace }, 1);
  const there = `${none} in the workspace ${workspace}.`;
  return known
    ? there
    : `${there} No session of it is known: \`npx signalbox ls\` lists those of every workspace.`;
}
