// Last seen text
// Says in words that an approval waits at an engine that is away: another engine (a peer) that does not answer at the moment.
//
//   Owns:          the text about an approval at an engine that is away.
//   Does not own:  which approvals of an absent engine are shown (runtime/peers/last-seen).

interface There {
  readonly engine?: string | undefined;
  readonly lastSeenAt?: number | undefined;
}

/**
 * @param now the present time, ms.
 * @returns a text such as `away since 12:03`, with the day if that is not today; undefined if the engine answers.
 */
export function awaySince({ lastSeenAt }: There, now: number): string | undefined {
  if (lastSeenAt === undefined) return undefined;
  const [at, today] = [new Date(lastSeenAt), new Date(now)];
  const day = at.toDateString() === today.toDateString() ? "" : `${at.toDateString().slice(0, 3)} `;
  return `away since ${day}${at.toTimeString().slice(0, 5)}`;
}

/** A sentence that tells a reader why the approval cannot be answered now; undefined if the engine answers. */
export function lastSeenText(there: There, now: number): string | undefined {
  const { engine = "the engine" } = there;
  const since = awaySince(there, now);
  return (
    since &&
    `${engine} has been ${since}; this approval was waiting then. It can be answered once ${engine} is back.`
  );
}
