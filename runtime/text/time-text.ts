// Time text
// Reads a time that a source wrote.
//
//   Owns:          which texts are times; what one without a zone means.
//   Does not own:  the engine's own times (journal-time).
//
// TIME-TEXT-1. A text means the same wherever the process runs: without a zone it is in UTC. Turns read such texts, and
//     must come to the same on another machine.

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** @returns an ISO 8601 time in ms; undefined for anything else. */
export function readTime(text: string): number | undefined {
  const [, date, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  const value = date === undefined ? NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(value) ? undefined : value;
}
