// Shared side
// An engine's place among those on the same NATS server: its name there, standing by, taking over.
//
//   Owns:          the engine's address for others, when it starts to answer as the owner, its troubles while it stands by.
//   Does not own:  the rules (runtime/cluster), sending questions (nats), what begins with a take-over (compose).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// SHARED-SIDE-1. A start without --follow is refused while another engine answers as the owner of a term.
// SHARED-SIDE-2. While an engine stands by, it is not ready, and names the owner.
// SHARED-SIDE-3. An engine that hands over ends in order, and comes back only if it was started to stand by.
// SHARED-SIDE-4. An owner that ends its term first writes that into the journal. Every engine that reads the entry ends in the
//     same way (runtime/cluster/seam).

import { defined } from "../../../machines/defined.ts";
import { Hold } from "../../../runtime/cluster/hold.ts";
import { Spare } from "../../../runtime/cluster/spare.ts";
import type { HttpSettings, NatsSettings } from "../../../runtime/engine-settings.ts";
import type { Engine } from "../../../runtime/engine/engine.ts";
import type { Cluster, HandedOver, Standing } from "../../../runtime/cluster/standing.ts";
import { noSpare, ownedElsewhere } from "../../../runtime/engine/owner-errors.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { ENGINE } from "../../../runtime/message.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import type { Blobs, Clock, Ids } from "../../../runtime/ports.ts";
import { SharedBlobs } from "./shared-blobs.ts";
import type { NatsSide } from "../nats-side.ts";

interface Shared {
  readonly nats: NatsSide;
  /** A random id of this start. */
  readonly start: string;
  readonly follows: boolean;
  /** The engine's address; known once HTTP listens. */
  readonly node: () => string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly onFatal: (error: Error) => void;
  readonly onLead: () => void;
  readonly onHandOver: ((next: HandedOver["next"]) => void) | undefined;
  /** The blobs in the folder. */
  readonly own: Blobs;
}

class SharedSide {
  readonly cluster: Cluster;
  readonly blobs: SharedBlobs;
  readonly #with: Shared;
  readonly #since: number;
  #engine: Engine | undefined;
  #spare: Spare | undefined;
  #isStopped = false;
  readonly #hold: Hold | undefined;
  #begun: (speak: () => Promise<void>) => void = () => undefined;
  /** Begins an owner's work; known once the engine has started. */
  readonly #speak = new Promise<() => Promise<void>>((resolve) => (this.#begun = resolve));

  constructor(shared: Shared) {
    const { start, follows, node, clock, own, nats, onError } = shared;
    const [bucket, isShared] = [() => nats.blobs, () => this.isShared()];
    this.#with = shared;
    this.blobs = new SharedBlobs({ own, bucket, isShared, onError });
    this.#since = clock.now();
    this.#hold = follows ? new Hold() : undefined;
    this.cluster = { start, follows, node, ...defined({ hold: this.#hold }) };
  }

  /**
   * Must be called after the connection and before the engine's start: an engine that stands by begins to ask for the owner.
   * @throws FatalError OWNER_REPLACED (SHARED-SIDE-1)
   */
  async enter(engine: Engine): Promise<void> {
    this.#engine = engine;
    const { nats, node, onLead } = this.#with;
    const line = nats.ownerLine(node);
    if (!line) return;
    if (!this.#hold) {
      const said = await line.ask({ compare: [] });
      if (typeof said === "object" && said.term > 0) throw ownedElsewhere(said.node);
      return;
    }
    const lead = (): Promise<void> => this.#own().then(onLead);
    const onFatal = (error: unknown): void => {
      if (!this.#isStopped) this.#with.onFatal(error instanceof Error ? error : new Error(String(error)));
    };
    const surroundings = { ...this.#with, line, hold: this.#hold, onLead: lead, onFatal };
    this.#spare = new Spare(engine, surroundings);
    this.#spare.start();
  }

  /** Must be called after the engine's start. @param speak begins an owner's work; awaited unless the engine stands by. */
  async begin(speak: () => Promise<void>): Promise<void> {
    this.#begun(speak);
    if (!this.#spare) await this.#own();
  }

  async #own(): Promise<void> {
    const speak = await this.#speak;
    await speak();
    await this.#with.nats.serveAsOwner((asked) => {
      const { mandate } = this.#engine ?? {};
      const said = mandate?.said(this.#with.node(), asked);
      if (mandate?.spares.isAsked === true) this.blobs.share();
      return said;
    });
  }

  /** True while another engine may read the blobs that this engine stores. */
  isShared(): boolean {
    return this.#engine?.mandate.isShared ?? this.#with.follows;
  }

  /** The role of this engine; undefined if no other engine is known to share its journal. */
  standing(): Standing | undefined {
    const engine = this.#engine;
    // Before it is ready, an engine's store may be closed. The engine then cannot read whether it shares its journal.
    if (engine?.isReady !== true || !this.isShared()) return undefined;
    return engine.mandate.standing(engine.lag().journal);
  }

  /**
   * Begins the hand-over to a spare (SHARED-SIDE-3), or ends the term (SHARED-SIDE-4).
   * @param waitMs present to end the term: how long engines of this version leave the journal to another version, ms.
   * @throws RetryableError STANDING_BY; RefusedError NO_SPARE, NO_TERM
   */
  async handOver(waitMs?: number): Promise<HandedOver> {
    const { follows, onHandOver } = this.#with;
    if (!this.#engine || !onHandOver) throw noSpare();
    const { mandate } = this.#engine;
    const next = follows ? "stands by" : "ends";
    if (waitMs === undefined) {
      const to = mandate.handOver();
      onHandOver(next);
      return { to, next };
    }
    const to = mandate.toEnd();
    const { workspace, session } = ENGINE;
    const { outcome } = await this.#engine.own(workspace, session, { type: "term.ended", waitMs });
    if (outcome !== "applied") throw mandate.elsewhere();
    return { to, next };
  }

  /** The troubles while this engine stands by, which make it not ready (SHARED-SIDE-2). */
  troubles(): readonly Trouble[] {
    const { refusal, spares } = this.#engine?.mandate ?? {};
    if (!refusal) return spares?.troubles(this.#with.clock.now()) ?? [];
    const { message, next } = refusal;
    return [{ code: "STANDING_BY", message, next, since: this.#since, isEssential: true }];
  }

  stop(): void {
    this.#isStopped = true;
    this.#spare?.stop();
  }
}

interface Surroundings extends Pick<Shared, "clock" | "onError" | "onFatal"> {
  readonly ids: Ids;
  /** What the folder has. */
  readonly own: { readonly blobs: Blobs };
  readonly url: () => string | undefined;
}

/** @returns the folder's own blobs for an engine that cannot share its journal: on a private server there is nobody else. */
export function sharedBy(
  { follow, nats: settings, http, onLead = () => undefined, onHandOver }: Settings,
  nats: NatsSide | undefined,
  { url, ids, own: { blobs: own }, ...surroundings }: Surroundings,
): { readonly shared: SharedSide | undefined; readonly blobs: Blobs } {
  if (!nats || settings?.isPrivate !== false) return { shared: undefined, blobs: own };
  const node = (): string => reachedAt(url(), http?.names);
  const [start, follows] = [ids.uuid(), follow !== undefined];
  const shared = new SharedSide({ ...surroundings, own, start, node, nats, onLead, onHandOver, follows });
  return { shared, blobs: shared.blobs };
}

export interface Sharing {
  /** Stands by for the engine that owns the same journal: the file with its seal key, `key` in its data folder. */
  readonly follow?: string;
  /** Called when an engine that stood by has taken over. */
  readonly onLead?: () => void;
  /** Called when the engine hands over: the callee must stop it, and may start it again. If absent, nothing is handed over. */
  readonly onHandOver?: (next: HandedOver["next"]) => void;
}

interface Settings extends Sharing {
  readonly nats?: Pick<NatsSettings, "isPrivate">;
  readonly http?: Pick<HttpSettings, "names">;
}

/** The address at which others reach an engine: the first of its names, or where it listens. */
function reachedAt(url = "", [name]: readonly string[] = []): string {
  if (name === undefined || url === "") return url;
  return name.includes("://") ? name : `http://${name}:${new URL(url).port}`;
}

/** @param nats undefined for an engine on the folder's own journal. @throws RefusedError FOLLOW_NEEDS_SERVER */
export function checkFollowed(
  follow: string | undefined,
  nats: { readonly isPrivate: boolean } | undefined,
): void {
  if (follow === undefined || (nats && !nats.isPrivate)) return;
  throw new RefusedError(
    "FOLLOW_NEEDS_SERVER",
    "An engine stands by only beside a journal that another engine can reach, too.",
    "Name the owner's NATS server: npx signalbox up --nats nats://HOST:4222 --follow FILE",
  );
}

interface Told {
  readonly standing?: () => Standing | undefined;
  readonly handOver?: (waitMs?: number) => Promise<HandedOver>;
}

/** The functions with which HTTP reports an engine's role, and has it hand over. */
export const standingOf = (shared: SharedSide | undefined): Told =>
  defined({
    standing: shared && (() => shared.standing()),
    handOver: shared && ((waitMs?: number) => shared.handOver(waitMs)),
  });
