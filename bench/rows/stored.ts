// Stored rows
// What one call writes to the store and to the journal: rows and characters, by table and kind.
//
//   Baseline: the bodies of its messages, as they came.
//
// The figures are counted, so they are the same on every machine. Each input is in a group of its own, as when nothing
// else goes on: groups write fewer.

import { recordedTurns, type WrittenTurn } from "../recorded.ts";
import type { Row } from "../report.ts";
import { asked, decided, post, pre, sessionId } from "../workload.ts";
import type { Message } from "../../runtime/message.ts";

const session = sessionId(0);
const CALLS = 20;

interface Tally {
  rows: number;
  text: number;
}

/** What a key stands for: its table, and of a session's actors and books the kind. */
function tableOf(key: string): string {
  const [table = "", , , kind] = key.split("/");
  return table === "actor" || table === "book" ? `${table}/${kind ?? "session"}` : table;
}

/** By table, per call. */
function tables(turns: readonly WrittenTurn[]): ReadonlyMap<string, Tally> {
  const found = new Map<string, Tally>();
  for (const write of turns.flatMap(({ writes }) => writes)) {
    const key = "put" in write ? write.put : write.del;
    const table = `${tableOf(key)}${"put" in write ? "" : " (gone)"}`;
    const tally = found.get(table) ?? { rows: 0, text: 0 };
    tally.rows += 1 / CALLS;
    tally.text += (key.length + ("put" in write ? write.value.length : 0)) / CALLS;
    found.set(table, tally);
  }
  return found;
}

async function row(
  what: string,
  mostText: number,
  say: (n: number) => readonly Message[],
): Promise<readonly Row[]> {
  const turns = await recordedTurns(CALLS, say);
  const by = tables(turns);
  const sum = (of: keyof Tally): number => [...by.values()].reduce((total, tally) => total + tally[of], 0);
  const bodies = turns.reduce((total, { body }) => total + body.length, 0) / CALLS;
  const each = [...by]
    .sort(([, one], [, other]) => other.text - one.text)
    .map(([table, { rows, text }]) => `${table} ${Number(rows.toFixed(1))}, ${Math.round(text)}`)
    .join("; ");
  return [
    {
      what: `rows stored, ${what}`,
      unit: "rows",
      figure: sum("rows"),
      baseline: { name: "its messages", figure: turns.length / CALLS },
      budget: { of: "figure", sense: "at most", limit: 10 },
      note: `rows and characters, by table: ${each}`,
    },
    {
      what: `text stored, ${what}`,
      unit: "characters",
      figure: sum("text"),
      baseline: { name: "its messages", figure: bodies },
      budget: { of: "figure", sense: "at most", limit: mostText },
    },
  ];
}

export async function storedRows(): Promise<readonly Row[]> {
  return [
    ...(await row("a call of two messages", 5_000, (n) => [pre(session, n), post(session, n)])),
    ...(await row("a call of four messages", 15_000, (n) => [
      pre(session, n),
      asked(session, n),
      decided(session, n),
      post(session, n),
    ])),
  ];
}
