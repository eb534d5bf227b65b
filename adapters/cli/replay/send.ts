// Replay sending
// Sends a replay's lines to an engine in bundles, and sorts the engine's answers.
//
//   Owns:          the size of a bundle of lines, sending lines again if the engine was busy, which answers become complaints.
//   Does not own:  choosing the next lines (pace.ts), making events of lines (envelope.ts).
//
// SEND-1. The engine gets the lines of a replay in order, and applies each only once. A line that a busy engine refused is
//     sent again before any later line.

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Client, succeeded } from "../client.ts";
import type { Envelope } from "./envelope.ts";
import type { Contact } from "./contact.ts";
import type { Complaint } from "./files.ts";

const BUNDLE_MAX = 200;
const BUNDLE_CHARACTERS_MAX = 1 << 20;
const BUSY_WAIT_MS = 500;
const BUSY = ["OVERLOADED", "OVER_QUOTA", "STOPPING", "NOT_READY"];

export interface Sendable {
  readonly envelope: Envelope;
  readonly characters: number;
  readonly file: string;
  readonly line: number;
}

export interface Tally {
  applied: number;
  duplicate: number;
  /** Accepted lines that changed nothing: the current state did not allow them, or they wait for an earlier line. */
  readonly unapplied: Complaint[];
  readonly refused: Complaint[];
}

const resultOf = z.looseObject({
  outcome: z.enum(["applied", "held", "duplicate", "rejected", "dead", "refused"]),
  reason: z.string().optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});
type Result = z.infer<typeof resultOf>;
const bundleAnswer = z.looseObject({ results: z.array(resultOf) });

export class Sender {
  readonly tally: Tally = { applied: 0, duplicate: 0, unapplied: [], refused: [] };
  readonly #client: Client;
  readonly #contact: Contact;
  #bundle: Sendable[] = [];
  #characters = 0;

  constructor(client: Client, contact: Contact) {
    this.#client = client;
    this.#contact = contact;
  }

  async add(line: Sendable): Promise<void> {
    this.#bundle.push(line);
    this.#characters += line.characters;
    if (this.#bundle.length >= BUNDLE_MAX || this.#characters >= BUNDLE_CHARACTERS_MAX) await this.flush();
  }

  async flush(): Promise<void> {
    let lines: readonly Sendable[] = this.#bundle;
    this.#bundle = [];
    this.#characters = 0;
    while (lines.length > 0) {
      const sent = lines;
      let isRepeated = false;
      const results = await this.#contact.ask(
        () => this.#send(sent),
        () => (isRepeated = true),
      );
      const busy = results.findIndex(isBusy);
      const taken = busy === -1 ? lines.length : busy;
      for (const [index, line] of lines.slice(0, taken).entries())
        this.#count(line, results[index], isRepeated);
      this.#contact.taken += taken;
      lines = lines.slice(taken);
      if (lines.length > 0) await sleep(BUSY_WAIT_MS);
    }
  }

  async #send(lines: readonly Sendable[]): Promise<readonly Result[]> {
    const answer = await this.#client.send("POST", "/v1/events", {
      body: lines.map(({ envelope }) => envelope),
    });
    const told = bundleAnswer.safeParse(answer.body);
    if (told.success && told.data.results.length === lines.length) return told.data.results;
    if (answer.status === 429) return [{ outcome: "refused", error: { code: "OVERLOADED", message: "" } }];
    succeeded(answer);
    throw new Error("The engine's answer to a list of events is malformed.");
  }

  /** @param isRepeated whether the lines were sent again: `duplicate` may then mean that their first sending arrived. */
  #count({ file, line }: Sendable, result: Result | undefined, isRepeated: boolean): void {
    if (!result) return;
    const reason = result.error?.message ?? result.reason ?? result.outcome;
    const { outcome } = result;
    if (outcome === "applied" || (outcome === "duplicate" && isRepeated)) this.tally.applied += 1;
    else if (outcome === "duplicate") this.tally.duplicate += 1;
    else if (outcome === "rejected" || outcome === "held") this.tally.unapplied.push({ file, line, reason });
    else this.tally.refused.push({ file, line, reason });
  }
}

const isBusy = ({ outcome, error }: Result): boolean =>
  outcome === "refused" && error !== undefined && BUSY.includes(error.code);
