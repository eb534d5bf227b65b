// End
// Where the stream of changes ends right now.
//
//   Owns:          asking for it.
//   Does not own:  reading from there (feed).

import { STREAMS } from "../streams.ts";
import { attempts } from "./attempts.ts";
import { writeCursor } from "./cursor.ts";
import type { Link } from "./link.ts";

/** @returns the cursor behind the last change there is. @throws RefusedError FORBIDDEN, RetryableError NOBODY_THERE */
export function endOfStream(link: Link): Promise<string> {
  const { connection, settings } = link;
  return attempts(link, `reading ${STREAMS.changes}`, settings.deadlineMs, async (timeoutMs) => {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: timeoutMs });
    const { created, state } = await manager.streams.info(STREAMS.changes);
    return writeCursor({ created, sequence: state.last_seq });
  });
}
