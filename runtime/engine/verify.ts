// Verify
// Replays what a journal still holds into an empty store, and names each entry that leads to something else this time.
//
//   Owns:          from where a replay says anything, comparing.
//   Does not own:  what is compared (turn/proof), finding it (kept-proofs), reading a folder, telling people (adapters).
//   Decided in:    docs/decisions/0044-proof-by-replay.md.
//
// VERIFY-1. Without a defect, and by the build that made the rows, no entry is named: what a turn depends on is its entry,
//     the rows below it, and what its proof notes.
// VERIFY-2. Where the journal no longer begins at its first entry, or lacks some, only sessions that began later are
//     compared, and from the next change of settings on only those that began after that. A workspace that has a rule
//     from before is not compared.
// VERIFY-3. The store that is verified is only read.

import type { Digest, SessionId, WorkspaceId } from "../../machines/index.ts";
import { Committer } from "./commit.ts";
import { firstKept } from "./due.ts";
import { KeptProofs } from "./kept-proofs.ts";
import { ENGINE, type Message, messageIn, type Translate } from "../message.ts";
import { after, keys } from "../rows/keys.ts";
import { freshMeta, type Meta, openMeta } from "../rows/meta.ts";
import type { JournalEntry, Store } from "../ports.ts";
import { type BuildRow, type Proof, proofMade } from "../turn/proof.ts";
import { turn } from "../turn/turn.ts";
import { allEnded } from "../turn/unended.ts";
import { WorkingSet } from "../rows/working-set.ts";

export interface Verifying {
  /** What is verified. */
  readonly found: Pick<Store, "get" | "range">;
  /** The journal's entries, by position as the store counts. */
  readonly entry: (position: number) => Promise<JournalEntry | undefined>;
  /** An empty store to replay into. */
  readonly into: Store;
  readonly digest: Digest;
  readonly translate: Translate;
  /** The build that replays. */
  readonly build: string;
  /** Only entries from here on are named. */
  readonly from?: number;
  /** Only entries of this session are named. */
  readonly session?: string;
  /** Called now and then with how many of all entries have been replayed. */
  readonly progress?: (done: number, all: number) => void;
}

/** An entry that led to something else. */
export interface Difference {
  readonly position: number;
  /** The journal's stamp, ms. */
  readonly at: number;
  readonly workspace?: WorkspaceId;
  readonly session?: SessionId;
  readonly type?: string;
  /** What was kept, and what the replay came to. */
  readonly kept: string;
  readonly found: string;
  /** Another build was at work before it or when it was applied: that alone may be the reason. */
  readonly isOtherBuild: boolean;
}

export interface Verified {
  /** The entries that were replayed. */
  readonly first: number;
  readonly last: number;
  readonly compared: number;
  /** Entries of sessions that began before the replay does, and of what else depends on what is no longer there. */
  readonly earlier: number;
  /** Entries without a proof: an older version applied them. */
  readonly unproven: number;
  readonly differences: readonly Difference[];
}

const TOLD_EVERY = 256;

/** @throws FatalError STORE_FORMAT; RefusedError NOTHING_APPLIED by the caller's store if it is empty. */
export async function verify(verifying: Verifying): Promise<Verified> {
  const { found, entry, into, progress = () => undefined } = verifying;
  const known = openMeta(new WorkingSet(found as Store));
  const last = known?.position ?? 0;
  const first = last === 0 ? 1 : await firstKept(last - 1, entry);
  await into.open();
  const replay = new Replay(verifying, known, first);
  if (first > 1) await replay.settle(last);
  for (let position = first; position <= last; position += 1) {
    await replay.take(position);
    if ((position - first) % TOLD_EVERY === 0) progress(position - first, last - first + 1);
  }
  progress(last - first + 1, last - first + 1);
  return replay.end(last);
}

class Replay {
  readonly #with: Verifying;
  readonly #first: number;
  readonly #committer: Committer;
  /** Every entry so far was replayed: whatever follows can be compared. */
  #isWhole: boolean;
  /** The sessions whose every change was replayed, if not all are. */
  readonly #whole = new Set<string>();
  /** The workspaces that had rules before the replay begins. */
  readonly #ruled: ReadonlySet<string>;
  /** The settings may differ from those that were in force. */
  #isUnsettled = false;
  readonly #kept: KeptProofs;
  readonly #otherFrom: number;
  #compared = 0;
  #earlier = 0;
  #unproven = 0;
  readonly #differences: Difference[] = [];

  constructor(verifying: Verifying, known: Meta | undefined, first: number) {
    this.#with = verifying;
    this.#first = first;
    this.#isWhole = first === 1;
    this.#kept = new KeptProofs(verifying.found);
    this.#committer = new Committer(
      verifying.into,
      new WorkingSet(verifying.into),
      { groupMax: 64 },
      () => undefined,
    );
    const { group } = this.#committer;
    const fresh = freshMeta(known?.incarnation ?? "", first - 1);
    const { configuration } = this.#isWhole ? fresh : (known ?? fresh);
    group.set(keys.meta, { ...fresh, configuration });
    allEnded(group);
    this.#ruled = ruledBefore(verifying.found, first);
    this.#otherFrom = otherBuildFrom(verifying.found, verifying.build, first);
  }

  /** VERIFY-2: looks for a change of settings; those before it are not known. */
  async settle(last: number): Promise<void> {
    for (let position = this.#first; position <= last && !this.#isUnsettled; position += 1) {
      const found = await this.#with.entry(position);
      this.#isUnsettled = found !== undefined && isConfigured(messageIn(found.body));
    }
  }

  async take(position: number): Promise<void> {
    const { digest, translate, entry } = this.#with;
    const found = await entry(position);
    if (!found) {
      this.#lose();
      return;
    }
    const proof = this.#kept.of(position);
    const message = messageIn(found.body);
    if (this.#isUnsettled && isConfigured(message)) {
      this.#isUnsettled = false;
      this.#whole.clear();
    }
    // It was refused for what was used up before the replay begins.
    if (proof?.isAway && !this.#isWhole) {
      this.#earlier += 1;
      return;
    }
    const poison = proof?.isPoison ? position : undefined;
    const { group } = this.#committer;
    const result = turn(group, found, { digest, translate, epoch: 1, poison });
    this.#committer.add(result);
    this.#compare(found, message, proof, proofMade(group, result));
    if (this.#committer.isFull) await this.#committer.land();
  }

  async end(last: number): Promise<Verified> {
    await this.#committer.land();
    const { from = 0, session } = this.#with;
    return {
      first: this.#first,
      last,
      compared: this.#compared,
      earlier: this.#earlier,
      unproven: this.#unproven,
      differences: this.#differences.filter(
        (each) => each.position >= from && (session ?? each.session) === each.session,
      ),
    };
  }

  /** VERIFY-2. */
  #lose(): void {
    this.#isWhole = false;
    this.#whole.clear();
    this.#earlier += 1;
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
    if (kept.isNew && home !== undefined && !this.#ruled.has(message?.workspace ?? "")) this.#whole.add(home);
    const isEngine = message?.session === ENGINE.session;
    const isKnown = home !== undefined && !isEngine && !this.#isUnsettled && this.#whole.has(home);
    if (!this.#isWhole && !isKnown) {
      this.#earlier += 1;
      return;
    }
    this.#compared += 1;
    if (found?.digest === kept.digest) return;
    const type = message?.door === "own" ? message.said.type : message?.type;
    this.#differences.push({
      position,
      at,
      ...(message && { workspace: message.workspace, session: message.session }),
      ...(type !== undefined && { type }),
      kept: kept.digest,
      found: found?.digest ?? "",
      isOtherBuild: position >= this.#otherFrom,
    });
  }
}

const isConfigured = (message: Message | undefined): boolean =>
  message?.door === "own" && message.said.type === "configured";

function ruledBefore(found: Verifying["found"], first: number): ReadonlySet<string> {
  const ruled = new Set<string>();
  for (const table of [keys.allRules, keys.allEnded])
    for (const [key] of found.range({ gte: table, lt: after(table) })) {
      const [workspace = "", position] = key.slice(table.length).split("/");
      if (Number(position) < first) ruled.add(workspace);
    }
  return ruled;
}

/** From which entry on what is found may come from another build: it made rows that later turns read. */
function otherBuildFrom(found: Verifying["found"], build: string, first: number): number {
  let at: string | undefined;
  for (const [key, text] of found.range({ gte: keys.builds, lt: after(keys.builds) })) {
    const from = Number(key.slice(keys.builds.length));
    // Only a start writes these rows.
    const row = JSON.parse(text) as BuildRow;
    if (from > first) {
      if (at !== build) return first;
      if (row.build !== build) return from;
    }
    at = row.build;
  }
  return at === build ? Infinity : first;
}
