// Sources
// What each of the client's sources has told, in the order of the journal.
//
//   Owns:          reading it from the journal.
//   Does not own:  the client (claude.ts), the engine, how soon each tells (moments.ts).

import { at, textAt } from "../engine/json.ts";
import type { Claude } from "./claude.ts";
import { bySocket } from "../http/by-socket.ts";

/** A message in the journal, with the journal's own time. */
export interface Heard {
  readonly at: number;
  /** `hook`, `transcript`, `telemetry`. */
  readonly source: string;
  readonly text: string;
}

/** All that the client's sources have told so far. */
export async function heard(claude: Claude): Promise<readonly Heard[]> {
  const found: Heard[] = [];
  for (let position = 1; ; position++) {
    const answer = await bySocket(claude.data)(`/v1/journal/${position}`);
    if (!answer.ok) return found;
    const entry: unknown = await answer.json();
    const source = /^claude-code\.(\w+)$/.exec(textAt(entry, "type") ?? "")?.[1];
    const text = JSON.stringify(at(entry, "data") ?? null);
    if (source !== undefined) found.push({ at: Number(at(entry, "at")), source, text });
  }
}
