// Sources
// How soon each source tells that a person answered at the client's terminal, and that a call ended.
//
//   Owns:          what the journal has of a call, by source; the first word of each that fits.
//   Does not own:  the client (claude.ts), the engine, the moments themselves.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at, textAt } from "../engine/json.ts";
import type { Claude } from "./claude.ts";

/** A message in the journal, with the journal's own time. */
export interface Heard {
  readonly at: number;
  /** `hook`, `transcript`, `telemetry`. */
  readonly source: string;
  readonly text: string;
}

/** All that the client's sources have told so far. */
export async function heard(claude: Claude, url: string): Promise<readonly Heard[]> {
  const token = readFileSync(join(claude.data, "token"), "utf8").trim();
  const found: Heard[] = [];
  for (let position = 1; ; position++) {
    const answer = await fetch(`${url}/v1/journal/${position}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    if (!answer.ok) return found;
    const entry: unknown = await answer.json();
    const source = /^claude-code\.(\w+)$/.exec(textAt(entry, "type") ?? "")?.[1];
    const text = JSON.stringify(at(entry, "data") ?? null);
    if (source !== undefined) found.push({ at: Number(at(entry, "at")), source, text });
  }
}

/** After how many ms each source said something that fits, for the first time. */
export function soonest(
  list: readonly Heard[],
  since: number,
  fits: (text: string) => boolean,
): Readonly<Record<string, number>> {
  const first: Record<string, number> = {};
  for (const { at: when, source, text } of list) if (fits(text)) first[source] ??= Math.round(when - since);
  return first;
}

/** A row for each thing that is told, a column for each source: the median, and how many there were. */
export function sourcesTable(
  rows: Readonly<Record<string, readonly Readonly<Record<string, number>>[]>>,
): string {
  const sources = ["hook", "transcript", "telemetry"];
  const cell = (told: readonly Readonly<Record<string, number>>[], source: string): string => {
    const times = told.flatMap((each) => each[source] ?? []).sort((one, other) => one - other);
    return times.length === 0 ? "never" : `${times[Math.floor(times.length / 2)] ?? 0} ms`;
  };
  const lines = Object.entries(rows).map(
    ([what, told]) =>
      `| ${[what, ...sources.map((source) => cell(told, source)), told.length].join(" | ")} |`,
  );
  return [
    "| told | hook | transcript | telemetry | times |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}
