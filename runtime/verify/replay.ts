// Replay
// Replays the entries of a journal into an empty store, and compares the result of each entry with the entry's stored proof (a
// digest of the result).
//
//   Owns:          from which entry on results can be compared, comparing entries, what a missing entry changes for later
//                  ones.
//   Does not own:  which sessions are fully known (known), comparing a result with a proof (turn/proof), finding proofs
//                  (kept-proofs), comparing rows (rows).

import { defined } from "../../machines/index.ts";
import { Committer } from "../engine/commit.ts";
import { ENGINE, type Message, messageIn } from "../message.ts";
import type { JournalEntry, Missing } from "../ports.ts";
import { keys } from "../rows/keys.ts";
import { freshMeta, type Meta, setMeta } from "../rows/meta.ts";
import { WorkingSet } from "../rows/working-set.ts";
import { type Proof, proofMade } from "../turn/proof.ts";
import { turn } from "../turn/turn.ts";
import { allEnded } from "../turn/unended.ts";
import { KeptNumbers } from "./kept-numbers.ts";
import { KeptProofs } from "./kept-proofs.ts";
import { Known } from "./known.ts";
import { compareRows } from "./rows.ts";
import type { Difference, Gap, Verified, Verifying } from "./verified.ts";

export class Replay {
  readonly known: Known;
  readonly #with: Verifying;
  readonly #meta: Meta | undefined;
  readonly #first: number;
  readonly #last: number;
  readonly #committer: Committer;
  readonly #kept: KeptProofs;
  readonly #numbers: KeptNumbers;
  readonly #missing: (Missing & Pick<Gap, "wasApplied">)[] = [];
  #compared = 0;
  #earlier = 0;
  #behind = 0;
  #unproven = 0;
  readonly #differences: Difference[] = [];

  constructor(verifying: Verifying, meta: Meta | undefined, first: number) {
    const { found, into, build, clients } = verifying;
    this.#with = verifying;
    this.#meta = meta;
    this.#first = first;
    this.#last = meta?.position ?? 0;
    this.known = new Known(found, build, first);
    this.#kept = new KeptProofs(found);
    this.#numbers = new KeptNumbers(found, meta);
    this.#committer = new Committer(into, new WorkingSet(into), { groupMax: 64 }, () => undefined);
    const { group } = this.#committer;
    const fresh = freshMeta(meta?.incarnation ?? "", first - 1, clients.defaults);
    const { configuration } = this.known.isWhole ? fresh : (meta ?? fresh);
    // No entry records the names of the journal and of the change log, so both are the store's.
    group.set(keys.meta, { ...fresh, configuration, ...defined({ log: meta?.log }) });
    allEnded(group);
  }

  /** VERIFY-2: searches the entries from `from` on for a change of settings, because the settings before it are unknown. */
  async settle(from: number): Promise<void> {
    this.known.isUnsettled = false;
    for (let position = from; position <= this.#last && !this.known.isUnsettled; position += 1) {
      const found = await this.#with.entry(position);
      this.known.isUnsettled = found !== undefined && isConfigured(messageIn(found.body));
    }
  }

  async take(position: number): Promise<void> {
    const { digest, translate, clients, entry } = this.#with;
    const found = await entry(position);
    const proof = this.#kept.of(position);
    const { group } = this.#committer;
    const numbers = this.#numbers.before(position);
    if (!found) {
      await this.#lose(position, proof !== undefined);
      return;
    }
    const message = messageIn(found.body);
    const home = message && `${message.workspace}/${message.session}`;
    this.known.meet(position, home);
    if (this.known.isUnsettled && isConfigured(message)) this.known.settle();
    // Entries that were not replayed may have used up the quota, so the replay cannot check whether this entry was rightly
    // refused.
    if (proof?.isAway && !this.known.isWhole) {
      this.#passOver();
      return;
    }
    if (!this.known.isWhole) setMeta(group, numbers);
    const isPoison = (): boolean => proof?.isPoison === true;
    const result = turn(group, found, { digest, translate, clients, epoch: 1, isPoison });
    this.#committer.add(result);
    this.#compare(found, message, proof, proofMade(group, result));
    if (this.#committer.isFull) await this.#committer.land();
  }

  async end(): Promise<Verified> {
    await this.#committer.land();
    const { from = 0, session, found, into } = this.#with;
    const named = new Set(this.#differences.map(({ position }) => position));
    const rows = compareRows({ found, made: into, known: this.known, meta: this.#meta, named });
    const isAsked = (each: { readonly session?: string }): boolean =>
      (session ?? each.session) === each.session;
    return {
      first: this.#first,
      last: this.#last,
      compared: this.#compared,
      earlier: this.#earlier,
      behind: this.#behind,
      unproven: this.#unproven,
      missing: this.#missing,
      differences: this.#differences.filter((each) => each.position >= from && isAsked(each)),
      rows: { ...rows, differences: rows.differences.filter(isAsked) },
    };
  }

  /** Reports an entry as missing (VERIFY-4). */
  async #lose(position: number, wasApplied: boolean): Promise<void> {
    this.known.lose(position);
    const before = this.#missing.at(-1);
    if (before?.last === position - 1 && before.wasApplied === wasApplied)
      this.#missing[this.#missing.length - 1] = { ...before, last: position };
    else {
      this.#missing.push({ first: position, last: position, wasApplied });
      if (this.#meta) setMeta(this.#committer.group, { configuration: this.#meta.configuration });
    }
    if (before?.last !== position - 1) await this.settle(position + 1);
  }

  #passOver(): void {
    if (this.#missing.length > 0) this.#behind += 1;
    else this.#earlier += 1;
  }

  #compare(
    { position, at }: JournalEntry,
    message: Message | undefined,
    kept: Proof | undefined,
    found: Proof | undefined,
  ): void {
    const home = message && `${message.workspace}/${message.session}`;
    if (!kept) {
      this.#unproven += 1;
      return;
    }
    if (kept.isNew && home !== undefined) this.known.begin(home);
    const isEngine = message?.session === ENGINE.session;
    if (!this.known.has(isEngine ? undefined : home)) {
      this.#passOver();
      return;
    }
    this.#compared += 1;
    if (found?.digest === kept.digest) return;
    const type = message?.door === "own" ? message.said.type : message?.type;
    this.#differences.push({
      position,
      at,
      ...defined({ workspace: message?.workspace, session: message?.session, type }),
      kept: kept.digest,
      found: found?.digest ?? "",
      isOtherBuild: this.known.isOtherAt(position),
    });
  }
}

const isConfigured = (message: Message | undefined): boolean =>
  message?.door === "own" && message.said.type === "configured";
