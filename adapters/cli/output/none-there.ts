// None there
// Makes the sentence that a command prints instead of an empty list.
//
//   Owns:          naming the workspace that the user asked about, and saying so if no session of that workspace is known.
//   Does not own:  printing lists that are not empty.

import { sessionAnswer } from "../answers.ts";
import type { Client } from "../client.ts";

/** @param none the sentence, without its full stop: `No call ran without permission`. */
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
    : `${there} No session of this workspace is known: \`npx signalbox ls\` lists the sessions of every workspace.`;
}
