// NATS side
// An engine's parts on a NATS server: its journal, its outlet, its services, over one connection.
//
//   Owns:          connecting when the engine starts, reporting when the server goes and comes back, closing.
//   Does not own:  any of the parts (nats), the order of start and stop (compose.ts).
//
// NATS-SIDE-1. The engine is ready once its services answer on NATS: a caller that gets "ready" over HTTP may query over NATS.
//     After a lost connection, the engine is ready once it reads its journal again, so that it applies what it accepts.

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

interface NatsSideOptions extends Omit<NatsOptions, "clients" | "name"> {
  readonly log: Log;
  /** Called if everybody who can connect shares the engine's account. */
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

  /** Whether the server is connected and the engine's services answer (NATS-SIDE-1). */
  get isServing(): boolean {
    if (this.#services === undefined) return false;
    return (this.#presence?.isHere ?? false) && (this.#link?.journal.isRead ?? false);
  }

  /** Connects, unless connected. @throws as `connectNats`: RetryableError while the server is away. */
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

  /** Serves queries and decisions over the connection. @throws as `serveNats`. */
  async serve(inside: Omit<ServeNatsOptions, "connection">): Promise<void> {
    if (this.#link) this.#services = await serveNats({ connection: this.#link.connection, ...inside });
  }

  /** Answers spares that this engine owns the journal, while it does. @throws as `serveOwner`. */
  async serveAsOwner(said: (asked: Asked) => OwnerSaid | undefined): Promise<void> {
    if (this.#link) this.#owner = await serveOwner(this.#link.connection, this.#options.sealKey, said);
  }

  /** The connection to the journal's owner; undefined before `connect`. @param node this engine's address. */
  ownerLine(node: () => string): OwnerLine | undefined {
    const isHere = (): boolean => this.#presence?.isHere ?? false;
    return this.#link && ownerLine(this.#link.connection, { isHere, node, sealKey: this.#options.sealKey });
  }

  /** Large texts for every engine on the journal; undefined before `connect`. */
  get blobs(): NatsLink["blobs"] | undefined {
    return this.#link?.blobs;
  }

  /**
   * Accepts no more queries and decisions. Running ones get a limited time, which a server that does not answer cannot extend.
   */
  async endServices(): Promise<void> {
    const { clock, log } = this.#options;
    const ended = this.#services?.stop().catch((error: unknown) => log.failed(error));
    this.#services = undefined;
    if (ended) await waitFor(settling(ended), anyNews, { clock, ms: END_MS });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // Until now the owner has answered each spare that asked whether an owner is there. None of its own messages is still under
    // way now, so it stops answering, and a spare may take over.
    if (this.#presence?.isHere === true) await this.#owner?.stop();
    await this.#link?.close();
  }

  /** The next start reports what to do. */
  #onClosed(reason: Error): void {
    if (!this.#isClosing) this.#options.onFatal(reason);
  }
}
