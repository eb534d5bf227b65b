// Trouble
// The messages about transcripts that cannot be read.
//
//   Owns:          the messages.
//   Does not own:  when the messages are reported (tailer).

import type { Trouble, TroubleCode } from "../../runtime/errors/trouble.ts";

interface Told {
  /** The error code of each file that cannot be read. */
  readonly failing: readonly string[];
  readonly refused: { readonly code: string; readonly count: number; readonly since: number } | undefined;
  /** When a file last could not be watched because too many other files are watched, ms. */
  readonly crowdedAt: number | undefined;
  readonly places: string | undefined;
}

/** @param now the time, ms. */
export function transcriptTroubles(
  { failing, refused, crowdedAt, places }: Told,
  now: number,
): readonly Trouble[] {
  const troubles: Trouble[] = [];
  const tell = (code: TroubleCode, since: number, message: string, next: string): void =>
    void troubles.push({ code, message, next, since, isEssential: false });
  const [code] = failing;
  if (code !== undefined)
    tell(
      "TRANSCRIPTS_UNREADABLE",
      now,
      `Transcripts that cannot be read: ${failing.length} (${code}). ${ALONE}`,
      "Let the engine's user read the transcripts; the engine tries again every two seconds. Or run `npx signalbox up --transcripts off`.",
    );
  if (refused)
    tell(
      "TRANSCRIPTS_REFUSED",
      refused.since,
      `Hooks name transcripts that may not be read: ${refused.count} times, the last one ${refused.code}. ${ALONE}`,
      "See `npx signalbox dlq ls`. Name the client's folder with `npx signalbox up --transcripts DIR`, or read no transcripts: `--transcripts off`.",
    );
  if (crowdedAt !== undefined)
    tell(
      "TRANSCRIPTS_CROWDED",
      crowdedAt,
      `More transcripts are in use than can be followed. ${ALONE}`,
      "Nothing is lost: `npx signalbox replay FILE` plays a transcript later.",
    );
  if (places !== undefined)
    tell(
      "TRANSCRIPT_PLACES_STUCK",
      now,
      `The engine cannot store how far it has read the transcripts (${places}). After a restart the engine reads them again, which changes nothing.`,
      "Check that the data folder has room and belongs to the engine's user.",
    );
  return troubles;
}

const ALONE = "The engine follows these sessions by their hooks alone.";
