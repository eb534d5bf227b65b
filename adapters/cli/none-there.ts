// None there
// What a list says that has nothing.
//
//   Owns:          naming the workspace that was asked for, and saying if nothing is known of it.
//   Does not own:  the lists.

import { sessionAnswer } from "./answers.ts";
import type { Client } from "./client.ts";

/** @param none what is said without a workspace, without its full stop. @returns a sentence, or two. */
export async function noneThere(
  none: string,
  client: Client,
  workspace: string | undefined,
): Promise<string> {
  if (workspace === undefined) return `${none}.`;
  const [known] = await client.list("/v1/sessions", sessionAnswer, { workspace }, 1);
  if (known) return `${none}, in the workspace ${workspace}.`;
  return `No session is in a workspace ${workspace}. \`npx signalbox ls\` lists those of every workspace.`;
}
