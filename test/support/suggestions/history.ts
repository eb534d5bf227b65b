// History
// Past approvals in a store, as they stay when sessions are gone.
//
//   Owns:          making them from words, a reader over them.
//   Does not own:  what is made of them.

import type { AgentId, SessionId } from "../../../machines/index.ts";
import { NOTHING_GUARDED } from "../../../machines/index.ts";
import { MemoryDisk, MemoryStore } from "../../../adapters/memory/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import { Reader } from "../../../runtime/reading/reader.ts";
import {
  type Suggestions,
  suggestions,
  type SuggestionWish,
} from "../../../runtime/reading/suggesting/suggestions.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { PastApproval } from "../../../runtime/rows/past-approvals.ts";

export const TEAM = "team";
export const FOLDER = "/home/ann/shop";
export const START_MS = 1_800_000_000_000;

export interface Past {
  readonly tool?: string;
  readonly input: unknown;
  readonly answer: "approved" | "denied" | "expired";
  readonly by?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly at?: number;
}

export const pastOf = (
  { tool = "Bash", input, answer, by = "local:ann", session, cwd = FOLDER, at }: Past,
  n: number,
): PastApproval => ({
  approvalId: `q${n}`,
  sessionId: (session ?? `s${n % 3}`) as SessionId,
  agentId: "main" as AgentId,
  isAmbiguous: false,
  at: at ?? START_MS + n,
  ...{ tool, cwd, input: toolInput(input), state: answer },
  ...(answer !== "expired" && { by }),
});

export const bashOf = (
  commands: readonly string[],
  answer: Past["answer"] = "approved",
  other: Partial<Past> = {},
): readonly Past[] => commands.map((command) => ({ input: { command }, answer, ...other }));

export async function readerOf(pasts: readonly PastApproval[]): Promise<Reader> {
  const store = new MemoryStore(new MemoryDisk("i"));
  await store.open();
  await store.commit(
    pasts.map((past) => ({
      put: keys.pastApproval(past.at, TEAM, past.sessionId, past.approvalId),
      value: JSON.stringify(past),
    })),
  );
  return new Reader(store);
}

export const suggested = (reader: Reader, other: Partial<SuggestionWish> = {}): Promise<Suggestions> =>
  suggestions(reader, {
    ...{ workspace: TEAM, since: 0, limit: 50, guarded: NOTHING_GUARDED, rules: [], at: START_MS },
    ...other,
  });
