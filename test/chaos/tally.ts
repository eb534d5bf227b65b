// Tally
// What happened in all rounds, as a table.
//
//   Owns:          counting, the percentiles, the words.
//   Does not own:  what is a violation (judge).

import type { Call } from "./gates.ts";
import type { Judged, Violation } from "./judge.ts";

const VIOLATIONS: readonly Violation[] = [
  "ran without a committed cause",
  "approval lost",
  "answer never arrived",
];

export class Tally {
  readonly faults = new Map<string, number>();
  readonly calls: Call[] = [];
  judged: Judged = { found: [], releases: [] };
  rounds = 0;
  clientRounds = 0;

  struck(fault: string, times: number): void {
    if (times > 0) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  table(): string {
    const { found, releases } = this.judged;
    const faults = [...this.faults].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const total = faults.reduce((sum, [, count]) => sum + count, 0);
    const of = (test: (call: Call) => boolean): number => this.calls.filter(test).length;
    const rows: readonly (readonly [string, string | number])[] = [
      ["rounds", this.rounds],
      ["of them with the real client", this.clientRounds],
      ["faults that really happened", total],
      ...faults.map(([fault, count]): [string, number] => [`– ${fault}`, count]),
      ["calls that were asked about", this.calls.length],
      ["– allowed", of(({ said }) => said === "allow")],
      ["– denied by an answer", of(({ said, message }) => said === "deny" && !isClosed(message))],
      ["– closed by the gate itself", of(({ said, message }) => said === "deny" && isClosed(message))],
      ["– killed with their gate or client", of(({ said, isHarmed }) => said !== "allow" && isHarmed)],
      ["answers that were accepted", of(({ accepted }) => accepted !== undefined)],
      ...(["HTTP", "CLI", "NATS"] as const).map((way): [string, number] => [
        `– over ${way}`,
        of(({ accepted, wanted }) => accepted !== undefined && wanted?.way === way),
      ]),
      ...VIOLATIONS.map((what): [string, number] => [
        NAMES[what],
        found.filter((each) => each.what === what).length,
      ]),
      ["from the engine's return to the release, p50", `${percentile(releases, 0.5)} ms`],
      ["– p99", `${percentile(releases, 0.99)} ms (of ${releases.length})`],
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `| ${name.padEnd(width)} | ${value} |`).join("\n");
  }
}

const NAMES: Readonly<Record<Violation, string>> = {
  "ran without a committed cause": "runs without a committed cause",
  "approval lost": "approvals lost",
  "answer never arrived": "answers that never arrived",
};

const isClosed = (message: string | undefined): boolean =>
  message?.startsWith("Signalbox gave no answer") === true;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
