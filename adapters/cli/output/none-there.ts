// None there
// The sentence that a command prints instead of an empty list.
//
//   Owns:          naming the workspace of the query, and reporting that nothing is known of that workspace.
//   Does not own:  printing the lists themselves.

import { sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";

/**
 * Says that nothing matched a query. @param none the sentence for a query without a workspace, without its full stop. @returns
 * one or two sentences.
 */
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
