// NATS side
// An engine's parts on a NATS server: its journal, its outlet, its services, over one connection.
//
//   Owns:          connecting when the engine starts, logging when the connection is lost and restored, closing.
//   Does not own:  how the parts work (nats), the order of start and stop (compose.ts).
//
// NATS-SIDE-1. The engine counts as ready only once its services answer on NATS. After a lost connection, it counts as ready
//     again once it reads its journal again.

import { anyNews, settling, waitFor } from "../../runtime/wait-for.ts";
import { LazyJournal, LazyOutlet } from "./lazy-ports.ts";
import type { Log } from "../log/index.ts";
import { clients } from "./clients.ts";
import {
  connectNats,
  type NatsLink,
  type NatsOptions,
  ownerLine,
  Presence,
  serveOwner,
} from "../nats/index.ts";
import type { OwnerLine } from "../../runtime/cluster/spare.ts";
import type { Asked, OwnerSaid } from "../../runtime/cluster/standing.ts";
import { serveNats, type ServeNatsOptions } from "../nats/services/index.ts";

const END_MS = 5_000;

interface NatsSideOptions extends Omit<NatsOptions, "clients"> {
  readonly log: Log;
  readonly onUnfenced?: () => void;
}

export class NatsSide {
  readonly journal = new LazyJournal();
  readonly outlet = new LazyOutlet();
  readonly #options: NatsSideOptions;
  #link: NatsLink | undefined;
  #presence: Presence | undefined;
  #services: { stop(): Promise<void> } | undefined;
  #owner: { stop(): Promise<void> } | undefined;
  #isClosing = false;

  constructor(options: NatsSideOptions) {
    this.#options = options;
  }

  // Part of the engine's readiness (NATS-SIDE-1).
  get isServing(): boolean {
    if (this.#services === undefined) return false;
    return (this.#presence?.isHere ?? false) && (this.#link?.journal.isRead ?? false);
  }

  /** Connects, unless already connected. @throws as `connectNats` does: RetryableError while the server is away. */
  async connect(): Promise<void> {
    if (this.#link) return;
    const link = await connectNats({ ...this.#options, clients });
    this.#link = link;
    this.#presence = new Presence(link.connection, (isHere) => this.#options.log.nats(isHere));
    this.journal.arrive(link.journal);
    this.outlet.arrive(link.outlet);
    const { onUnfenced } = this.#options;
    if (onUnfenced) void link.isUnfenced().then((isUnfenced) => isUnfenced === true && onUnfenced());
    void link.closed.then((reason) => this.#onClosed(reason));
  }

  async serve(inside: Omit<ServeNatsOptions, "connection">): Promise<void> {
    if (this.#link) this.#services = await serveNats({ connection: this.#link.connection, ...inside });
  }

  async serveAsOwner(said: (asked: Asked) => OwnerSaid | undefined): Promise<void> {
    if (this.#link) this.#owner = await serveOwner(this.#link.connection, this.#options.sealKey, said);
  }

  /**
   * The connection to the engine that owns the journal; undefined before `connect`.
   * @param node returns this engine's address.
   */
  ownerLine(node: () => string): OwnerLine | undefined {
    const isHere = (): boolean => this.#presence?.isHere ?? false;
    return this.#link && ownerLine(this.#link.connection, { isHere, node, sealKey: this.#options.sealKey });
  }

  get blobs(): NatsLink["blobs"] | undefined {
    return this.#link?.blobs;
  }

  /** Ends the services. Running queries and decisions get a limited time, which a server that does not answer cannot extend. */
  async endServices(): Promise<void> {
    const { clock, log } = this.#options;
    const ended = this.#services?.stop().catch((error: unknown) => log.failed(error));
    this.#services = undefined;
    if (ended) await waitFor(settling(ended), anyNews, { clock, ms: END_MS });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // This side is closed last (compose.ts), when each message that this engine sent has arrived or failed. So the engine stops
    // answering as the owner, and a spare may take over.
    if (this.#presence?.isHere === true) await this.#owner?.stop();
    await this.#link?.close();
  }

  #onClosed(reason: Error): void {
    if (!this.#isClosing) this.#options.onFatal(reason);
  }
}
