// Last seen text
// Says in words that an approval waits at an engine that is away.
//
//   Owns:          the words.
//   Does not own:  which approvals these are (runtime/peers/last-seen).

interface There {
  readonly engine?: string | undefined;
  readonly lastSeenAt?: number | undefined;
}

/** @param now ms. @returns such as `away since 12:03`, with the day if it is another one; undefined if the engine answers. */
export function awaySince({ lastSeenAt }: There, now: number): string | undefined {
  if (lastSeenAt === undefined) return undefined;
  const [at, today] = [new Date(lastSeenAt), new Date(now)];
  const day = at.toDateString() === today.toDateString() ? "" : `${at.toDateString().slice(0, 3)} `;
  return `away since ${day}${at.toTimeString().slice(0, 5)}`;
}

/** The whole sentence, in which a reader learns why there is nothing to press. */
export function lastSeenText(there: There, now: number): string | undefined {
  const { engine = "the engine" } = there;
  const since = awaySince(there, now);
  return (
    since && `${engine} has been ${since}; this was waiting then. It can be answered once ${engine} is back.`
  );
}
