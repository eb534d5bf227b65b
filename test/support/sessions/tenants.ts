// Tenants
// Two workspaces in which everything has the same name.
//
//   Owns:          repeating in one workspace what was said in another; comparing results without their positions.
//   Does not own:  what is said (generate, the tests).

import type { WorkspaceId } from "../../../machines/index.ts";
import type { Message } from "../../../runtime/message.ts";
import { WORKSPACE } from "./session-run.ts";

export const [ACME, BOLT] = ["acme", "bolt"] as readonly string[] as readonly [WorkspaceId, WorkspaceId];

/** The same message, in another workspace. */
export const said = (message: Message, workspace: WorkspaceId): Message =>
  JSON.parse(JSON.stringify(message).replaceAll(WORKSPACE, workspace)) as Message;

/**
 * Results as they would be in a single workspace: without its name, and without positions in the journal and the log,
 * which move when more is said.
 */
export const plain = (results: unknown, workspace: string): string =>
  JSON.stringify(results)
    .replaceAll(new RegExp(`(?<![a-z])${workspace}(?![a-z])`, "g"), "HERE")
    .replaceAll(/\\*"(n|turn|position|newest|previous)\\*":\d+,?/g, "");

/** The order in which two workspaces speak, until both have said all. */
export function* interleaved<T>(
  one: readonly T[],
  other: readonly T[],
  pattern: readonly boolean[],
): Generator<readonly [first: boolean, said: T]> {
  const [left, right] = [[...one], [...other]];
  for (let n = 0; left.length + right.length > 0; n += 1) {
    const isFirst = right.length === 0 || (left.length > 0 && pattern[n % pattern.length] === true);
    const next = (isFirst ? left : right).shift();
    if (next !== undefined) yield [isFirst, next];
  }
}
