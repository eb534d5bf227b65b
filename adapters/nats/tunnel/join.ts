// Join
// Connects a machine to its team's NATS server, and keeps it connected, so that other machines of the team can reach its engine.
//
//   Owns:          the connection: making it, trying again, what a person is told while the connection is missing.
//   Does not own:  the connections between machines (tunnels), which machines are asked (composition/cluster/peers-side.ts).
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNEL-JOIN-1. The engine works without the team's server. While the team's server is away, or refuses this machine, a trouble
//     is reported, with the code of the last error.
// TUNNEL-JOIN-2. If the NATS client has given a connection up, a new connection is made.

import type { NatsConnection } from "nats";
import { isId } from "../../../machines/ids.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import { codeOf, type Trouble } from "../../../runtime/errors/trouble.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { pause } from "../../../runtime/wait-for.ts";
import { asPortError } from "../client-errors.ts";
import { connectPlainly, Presence } from "../connect.ts";
import { serversAt } from "../servers.ts";
import { type Dialled, Tunnels } from "./tunnels.ts";

const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;
const AGAIN =
  "The engine tries again. See whether the team's NATS server runs, and what its log says about this machine's user.";
const AGAIN_REFUSED =
  "The engine tries again with the same address. If you change the address, start the engine again.";

export class Join {
  readonly #url: string;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #joined: { readonly connection: NatsConnection; readonly tunnels: Tunnels } | undefined;
  #presence: Presence | undefined;
  #missingSince: number | undefined;
  #error: Error | undefined;

  /** @param url the team's server; the user in it is this machine's name. @throws RefusedError BAD_JOIN, BAD_NATS_URL */
  constructor(url: string, clock: Clock) {
    [this.#url, this.#clock] = [url, clock];
    this.#name = userOf(url);
  }

  /** @param port the port at which the engine listens on this machine. */
  async start(port: number): Promise<void> {
    const { signal } = this.#stopping;
    this.#note(false);
    for (let waitMs = AGAIN_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, AGAIN_MAX_MS)) {
      try {
        await this.#keep(await connectPlainly(this.#url, this.#name), port);
        return;
      } catch (error) {
        this.#note(false, error);
      }
      await pause({ clock: this.#clock, ms: waitMs }, signal);
    }
  }

  /** Connects to another machine's engine. @param signal aborted when the caller gives up. @throws RetryableError MACHINE_AWAY */
  dial(machine: string, signal?: AbortSignal): Promise<Dialled> {
    if (this.#presence?.isHere === true && this.#joined) return this.#joined.tunnels.dial(machine, signal);
    throw new RetryableError(
      "MACHINE_AWAY",
      `This engine is not connected to the team's NATS server, so it does not reach ${machine}.`,
      "See what `npx signalbox status` says about the team's NATS server.",
      AGAIN_MS,
    );
  }

  troubles(): readonly Trouble[] {
    if (this.#missingSince === undefined) return [];
    return [
      {
        code: "NOT_JOINED",
        message: `The team's NATS server is away, or does not let this machine in${this.#error ? ` (${codeOf(this.#error)})` : ""}.`,
        next: this.#error instanceof RefusedError ? `${this.#error.next} ${AGAIN_REFUSED}` : AGAIN,
        since: this.#missingSince,
        isEssential: false,
      },
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#joined?.tunnels.close();
    await this.#joined?.connection.close();
  }

  async #keep(connection: NatsConnection, port: number): Promise<void> {
    if (this.#stopping.signal.aborted) return connection.close();
    this.#note(true);
    this.#presence = new Presence(connection, (isHere) => this.#note(isHere));
    const tunnels = new Tunnels(connection, this.#name, this.#clock, (error) => this.#note(false, error));
    tunnels.listen(port);
    this.#joined = { connection, tunnels };
    void connection.closed().then((error) => this.#joinAgain(port, error ?? undefined));
  }

  /** Connects anew (TUNNEL-JOIN-2). The NATS client itself gives up once the server has refused its user twice. */
  async #joinAgain(port: number, error: Error | undefined): Promise<void> {
    const { signal } = this.#stopping;
    this.#joined?.tunnels.close();
    this.#joined = undefined;
    this.#note(false, error);
    await pause({ clock: this.#clock, ms: AGAIN_MS }, signal);
    await this.start(port);
  }

  /** Notes whether the server is there. @param error why the server is missing; if undefined, an earlier reason stays. */
  #note(isHere: boolean, error?: unknown): void {
    this.#missingSince = isHere ? undefined : (this.#missingSince ?? this.#clock.now());
    if (isHere) this.#error = undefined;
    else if (error !== undefined) this.#error = asPortError(error, this.#url);
  }
}

function userOf(url: string): string {
  // If the address has a user without a password, `serversAt` returns that user as a token.
  const { token = "", user = token } = serversAt(url);
  if (isId(user)) return user;
  throw new RefusedError(
    "BAD_JOIN",
    "The address of the team's NATS server names no user, or one that is no valid id. The user is this machine's name in the team.",
    "Write the address as nats://NAME:PASSWORD@HOST:4222 (docs/how-to/inbox.md).",
    "join",
  );
}
