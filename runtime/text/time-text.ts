// Time text
// Reads a time that a source wrote.
//
//   Owns:          which texts are times; the meaning of a time without a zone.
//   Does not own:  the engine's own times (journal-time).
//
// TIME-TEXT-1. A text has the same meaning on every machine: without a zone it is in UTC. Turns read such texts, and must
//     get the same result on another machine.

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** An ISO 8601 time in ms; undefined for any other text. */
export function readTime(text: string): number | undefined {
  const [, date, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  const value = date === undefined ? NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(value) ? undefined : value;
}
