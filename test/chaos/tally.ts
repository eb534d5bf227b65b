// Tally
// What happened in all rounds, as a table.
//
//   Owns:          what was noted in all rounds, counting it, the percentiles, the words.
//   Does not own:  what is a violation (judge).

import type { Answer, Call, Fate, Rule, Way } from "./book.ts";
import { fateOf } from "./causes.ts";
import { isClosed, type Judged, VIOLATIONS } from "./judge.ts";
import type { Shown } from "./shown.ts";

const WAYS: readonly Way[] = ["HTTP", "CLI", "NATS"];
const FATES: Readonly<Record<Fate, string>> = {
  accepted: "acknowledged",
  refused: "refused",
  lost: "lost: no reply to them came",
  unsent: "never sent: no engine listened",
};

type Row = readonly [name: string, value: string | number];

export class Tally {
  readonly faults = new Map<string, number>();
  readonly calls: Call[] = [];
  readonly rules: Rule[] = [];
  readonly shown: Shown[] = [];
  readonly roundsS: number[] = [];
  clientRounds = 0;

  struck(fault: string, times: number): void {
    if (times > 0) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  table({ found, releases, allowed }: Judged): string {
    const rows: readonly Row[] = [
      ["rounds", this.roundsS.length],
      ["rounds with the real client", this.clientRounds],
      ["seconds a round took, p50", percentile(this.roundsS, 0.5).toFixed(1)],
      ["seconds the longest round took", percentile(this.roundsS, 1).toFixed(1)],
      ...this.#faultRows(),
      ...this.#callRows(allowed),
      ...this.#answerRows(),
      ...Object.entries(VIOLATIONS).map(([what, name]): Row => [
        name,
        found.filter((each) => each.what === what).length,
      ]),
      ["time from the engine's return to a gate's answer, p50", `${percentile(releases, 0.5)} ms`],
      [
        "time from the engine's return to a gate's answer, p99",
        `${percentile(releases, 0.99)} ms (of ${releases.length})`,
      ],
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `| ${name.padEnd(width)} | ${value} |`).join("\n");
  }

  #faultRows(): readonly Row[] {
    const faults = [...this.faults].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    return [["faults in all", total], ...faults.map(([fault, count]): Row => [`faults: ${fault}`, count])];
  }

  #callRows({ byPerson, byRule }: Judged["allowed"]): readonly Row[] {
    const of = (test: (call: Call) => boolean): number => this.calls.filter(test).length;
    return [
      ["calls that were asked about", of(({ said }) => said !== undefined)],
      ["calls allowed by an answer", byPerson],
      ["calls allowed by a rule", byRule],
      [
        "calls denied by an answer or a rule",
        of(({ said, message }) => said === "deny" && !isClosed(message)),
      ],
      ["calls denied by the gate itself", of(({ said, message }) => said === "deny" && isClosed(message))],
      ["calls whose gate or client was killed", of(({ said, isHarmed }) => said === "nothing" && isHarmed)],
    ];
  }

  #answerRows(): readonly Row[] {
    const answers = this.calls.flatMap((call) => call.answers);
    const of = (test: (each: Answer) => boolean): number => answers.filter(test).length;
    return [
      ["answers that were given", answers.length],
      ...Object.entries(FATES).map(([fate, name]): Row => [
        `answers ${name}`,
        of((each) => fateOf(each) === fate),
      ]),
      ...WAYS.map((way): Row => [
        `answers acknowledged over ${way}`,
        of((each) => each.way === way && fateOf(each) === "accepted"),
      ]),
    ];
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
