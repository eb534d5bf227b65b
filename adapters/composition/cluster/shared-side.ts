// Shared side
// The role of an engine among the engines on the same NATS server: its address there, standing by, taking over.
//
//   Owns:          the engine's address for others, when it starts to answer as the owner, its troubles while it stands by.
//   Does not own:  the rules (runtime/cluster), asking other engines (nats), what an engine starts when it takes over (compose).
//   Decided in:    docs/decisions/0092-a-spare-takes-over-by-a-term.md.
//
// SHARED-SIDE-1. An engine that is started without --follow, the option to stand by as a spare, refuses to start while another
//     engine answers as the owner, and never counts as a spare.
// SHARED-SIDE-2. While an engine stands by, it reports that it is not ready, and names the owner.
// SHARED-SIDE-3. An engine that hands over stops in order. If it was started to stand by, it stands by again; otherwise it ends.
// SHARED-SIDE-4. An owner that is asked to end its term, as `cluster upgrade` does, first writes the end of the term into the
//     journal, where every engine reads it (runtime/cluster/seam).

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
  /** A random id of this start of the engine. */
  readonly start: string;
  readonly follows: boolean;
  /** Returns the engine's address, which is known once HTTP listens. */
  readonly node: () => string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly onFatal: (error: Error) => void;
  readonly onLead: () => void;
  readonly onHandOver: ((next: HandedOver["next"]) => void) | undefined;
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
  /** The function that begins an owner's work; it is known once the engine has started. */
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

  /** Must be called after the engine is connected and before it starts. @throws FatalError OWNER_REPLACED (SHARED-SIDE-1) */
  async enter(engine: Engine): Promise<void> {
    this.#engine = engine;
    const { nats, node, onLead } = this.#with;
    // The owner counts every engine that sends a query with an address as a spare. An engine that was not started to stand by is
    // no spare, so its queries name no address.
    const line = nats.ownerLine(this.#hold ? node : () => "");
    if (!line) return;
    if (!this.#hold) {
      const said = await line.ask({ compare: [] });
      if (typeof said === "object" && (said.isProven || said.term > 0)) throw ownedElsewhere(said.node);
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

  /**
   * Must be called after the engine's start. Begins the owner's work; an engine that stands by begins it later, when it takes
   * over. @param speak begins this work.
   */
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
    // Before an engine is ready, its store may be closed. The engine then cannot read whether it shares its journal.
    if (engine?.isReady !== true || !this.isShared()) return undefined;
    return engine.mandate.standing(engine.lag().journal);
  }

  /**
   * Hands the journal over to a spare (SHARED-SIDE-3).
   * @param waitMs if present, the term is ended instead (SHARED-SIDE-4), and for this time, in ms, engines of this version leave
   * the journal to engines of another version.
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

  // While the engine stands by, the trouble STANDING_BY makes it count as not ready, and names the owner (SHARED-SIDE-2).
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
  readonly own: { readonly blobs: Blobs };
  readonly url: () => string | undefined;
}

/**
 * @returns the part for a shared journal, and the blobs to use. If the engine cannot share its journal, as on a private server,
 * there is no such part, and the blobs are those of its own folder.
 */
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
  /**
   * The file with the owner's seal key: `key` in the owner's data folder. If set, this engine stands by for the owner of its
   * journal.
   */
  readonly follow?: string;
  readonly onLead?: () => void;
  /**
   * Called when the engine hands over: the function must stop the engine, and may start it again. If absent, the engine never
   * hands over.
   */
  readonly onHandOver?: (next: HandedOver["next"]) => void;
}

interface Settings extends Sharing {
  readonly nats?: Pick<NatsSettings, "isPrivate">;
  readonly http?: Pick<HttpSettings, "names">;
}

/** The address at which others reach an engine: the first of its configured names, or else the address where it listens. */
function reachedAt(url = "", [name]: readonly string[] = []): string {
  if (name === undefined || url === "") return url;
  return name.includes("://") ? name : `http://${name}:${new URL(url).port}`;
}

/** @param nats undefined for the folder's own journal. @throws RefusedError FOLLOW_NEEDS_SERVER if engines cannot share it. */
export function checkFollowed(
  follow: string | undefined,
  nats: { readonly isPrivate: boolean } | undefined,
): void {
  if (follow === undefined || (nats && !nats.isPrivate)) return;
  throw new RefusedError(
    "FOLLOW_NEEDS_SERVER",
    "A spare needs a journal that its owner shares: one on a NATS server that both can reach.",
    "Name the owner's NATS server: npx signalbox up --nats nats://HOST:4222 --follow FILE",
  );
}

export const standingOf = (shared: SharedSide | undefined) =>
  defined({
    standing: shared && (() => shared.standing()),
    handOver: shared && ((waitMs?: number) => shared.handOver(waitMs)),
  });
